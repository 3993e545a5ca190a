// The internet of the rehearsal: one port of this machine that answers for every name with a certificate of our own.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Authority, createAuthority, createCertificate } from '../x509.ts'

export interface Internet {
  /** The authority's certificate, for NODE_EXTRA_CA_CERTS. */
  authority: string
  /** Who signs the certificates of those that answer elsewhere. */
  signer: Authority
  /** What a browser needs to find these names here, to trust them, and to find no other. */
  chromiumFlags(): string[]
  /** For `names.ts`: where the names are. */
  places(): Record<string, number>
  /** Whoever listens there answers for these names from now on. */
  answer(listener: RequestListener, ...names: string[]): void
  /** The same without encryption, as only the platform's own names do. */
  answerPlain(listener: RequestListener, ...names: string[]): void
  stop(): Promise<void>
}

export async function openInternet(): Promise<Internet> {
  const authority = createAuthority('Rehearsal')
  const [sites, plainSites] = [new Map<string, RequestListener>(), new Map<string, RequestListener>()]
  const contexts = new Map<string, SecureContext>()
  const contextFor = (name: string) => {
    const found = contexts.get(name)
    if (found) return found
    const { key, cert } = createCertificate(name, [name], authority)
    const made = createSecureContext({ key, cert: cert + authority.cert })
    contexts.set(name, made)
    return made
  }
  const dispatch =
    (known: Map<string, RequestListener>): RequestListener =>
    (request, response) => {
      const site = known.get(nameOf(request))
      if (site) return site(request, response)
      response.writeHead(421).end()
    }
  const secure = createTlsServer(
    {
      SNICallback: (name, done) => done(null, contextFor(name)),
      ...createCertificate('localhost', ['localhost'], authority),
    },
    dispatch(sites),
  )
  const plain = createServer(dispatch(plainSites))
  for (const server of [secure, plain]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const [securePort, plainPort] = [secure, plain].map(server => (server.address() as AddressInfo).port) as [
    number,
    number,
  ]
  const fingerprint = createHash('sha256').update(authority.publicKey).digest('base64')
  return {
    authority: authority.cert,
    signer: authority,
    chromiumFlags: () => [
      `--host-resolver-rules=${[...sites.keys()].map(name => `MAP ${name} 127.0.0.1:${securePort}`).join(', ')}, MAP * ~NOTFOUND`,
      `--ignore-certificate-errors-spki-list=${fingerprint}`,
    ],
    places: () => ({
      ...Object.fromEntries([...sites.keys()].map(name => [`${name}:443`, securePort])),
      ...Object.fromEntries([...plainSites.keys()].map(name => [`${name}:80`, plainPort])),
    }),
    answer(listener, ...names) {
      for (const name of names) sites.set(name, listener)
    },
    answerPlain(listener, ...names) {
      for (const name of names) plainSites.set(name, listener)
    },
    async stop() {
      for (const server of [secure, plain]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

const nameOf = (request: IncomingMessage): string =>
  (request.headers.host ?? '').replace(/\.?(:\d+)?$/, '').toLowerCase()
