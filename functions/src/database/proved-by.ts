import type pg from 'pg'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns how a server is proved by its own authority. Its certificate names the instance, not the address we reach it at.
 * At an address of this machine a proxy listens, which speaks without TLS and proves the server itself.
 */
export const provedBy = (ca: string | undefined, url: string): Pick<pg.ClientConfig, 'ssl'> =>
  ca && !LOOPBACK.test(URL.parse(url)?.hostname ?? '') ? { ssl: { ca, checkServerIdentity: () => undefined } } : {}
