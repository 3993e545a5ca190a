import { createHash, timingSafeEqual } from 'node:crypto'

/** The header in which our own front (a load balancer or CDN) proves that it handed a request on. */
export const FRONT_HEADER = 'x-front-secret'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the secret by which a request proves that it came through our own front. */
export function findFrontSecret(given: string | undefined, secrets: readonly string[]): string | undefined {
  const written = digest(given ?? '')
  // All secrets are compared in full, so that the time it takes reveals nothing.
  return secrets.filter(secret => timingSafeEqual(written, digest(secret)))[0]
}
