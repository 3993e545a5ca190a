# The server, and the sites behind Caddy; deploy/compose.yaml runs them. deploy/.env is read while the sites are built.
FROM node:22-bookworm-slim AS build
WORKDIR /shop
COPY . .
RUN npm run build
RUN cd functions/dist && npm ci --omit=dev

FROM node:22-bookworm-slim AS server
ENV NODE_ENV=production
# Of the container, whose port compose.yaml publishes to nobody.
ENV HOST=0.0.0.0
WORKDIR /app
COPY --from=build /shop/functions/dist .
RUN mkdir /files && chown node:node /files
USER node
EXPOSE 8787
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]

FROM postgres:17-bookworm AS postgres
RUN apt-get update && apt-get install -y --no-install-recommends pgbackrest restic curl ca-certificates && rm -rf /var/lib/apt/lists/*
COPY deploy/backup.sh /usr/local/bin/backup.sh
# A new volume belongs to whom the folder belongs in the image that is first: the server's user, here as there.
RUN install -d -o 1000 -g 1000 /files

FROM debian:bookworm-slim AS pooler
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
COPY deploy/pgbouncer.ini /etc/pgbouncer/pgbouncer.ini
USER postgres
EXPOSE 6432
CMD ["sh", "-c", "printf '\"%s\" \"%s\"\\n' \"${SERVER_DATABASE_ROLE:-shop_app}\" \"$SERVER_DATABASE_PASSWORD\" > /tmp/users.txt && exec pgbouncer /etc/pgbouncer/pgbouncer.ini"]

FROM caddy:2 AS sites
COPY deploy/Caddyfile /etc/caddy/Caddyfile
COPY --from=build /shop/liff-app/dist /srv/storefront
COPY --from=build /shop/admin-web/dist /srv/admin
