import { createHash } from 'node:crypto'
import { CATALOGUE_VERSION, storedVersion, toldVersion } from '@shop/shared/catalogue-version.ts'
import { urlOf } from '@shop/shared/client.ts'
import type { EndpointShape, ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import type { Context as HonoContext } from 'hono'
import { authorise, GUEST, identify, type Proof, prove } from '../account/caller.ts'
import { parseInput, type Route } from '../call/route.ts'
import type { Shop } from '../shop/shop.ts'
import { keepAnswers } from './kept-answers.ts'
import type { Viewer } from './on-sale.ts'
import type { Catalogue } from './snapshot.ts'

/**
 * How long a browser and a CDN may keep a guest's answer. Together with CATALOGUE_CHECK_MS this shows a change to
 * everybody within ten seconds, even when nothing says how old an answer already was when it left the CDN.
 */
const GUESTS_CACHE = 'public, max-age=3, s-maxage=4'

/** Names what is answered, so that whoever has it already is not sent it again. */
export const etagOf = (body: Uint8Array | string): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

interface Answer {
  body: Uint8Array<ArrayBuffer>
  /**
   * Computed from the text itself: it stays the same over versions that leave the text alone, and changes when a new
   * server words it differently.
   */
  etag: string
  headers: Record<string, string>
}

/** Answers made from a catalogue on one Bangkok day, by request and by kind of caller. */
const answersOf = keepAnswers<Answer>()

/** What of the server itself an answer may depend on; it stays the same as long as the process lives. */
export type Installed = Pick<Shop, 'gateway'>
type Build<E extends EndpointShape, V> = (
  catalogue: Catalogue,
  input: ParsedInput<E>,
  viewer: V,
  installed: Installed,
) => ReplyInput<E>

/** Whose answer a request gets; `now` is left out, because an answer is made for its day. */
type Known = Omit<Viewer, 'now'>

const NOBODY: Known = { caller: 'guest', tierId: null }

/**
 * Returns whom the catalogue knows a caller as: whoever signs in is a customer, unless it has another role of theirs. It
 * says nothing of their session, so it opens only what everybody may see.
 */
const knownAs = ({ roles }: Catalogue, { uid }: Proof): Known =>
  uid === null ? NOBODY : { caller: roles.get(uid) ?? 'customer', tierId: null }

/**
 * Returns the caller as their account has them now, for prices that are not everybody's. What customers see is no
 * secret: an account costs nothing.
 */
async function asInForce(catalogue: Catalogue, proof: Proof, shop: Shop, endpoint: EndpointShape): Promise<Known> {
  const known = knownAs(catalogue, proof)
  if (known.caller === 'guest' || known.caller === 'customer') return known
  const identity = await identify(proof, shop)
  authorise(identity, endpoint.allow)
  return { caller: identity.caller, tierId: identity.account?.tierId ?? null }
}

/**
 * Binds a read that depends only on the catalogue, the caller's role, the day and what is installed, and that tells
 * nobody's own prices: it is answered without reading an account. Each answer is made once and kept in memory. Guests'
 * answers may be cached on the way, those of signed-in people may not.
 */
export const catalogueRoute = <E extends EndpointShape>(endpoint: E, build: Build<E, Omit<Viewer, 'tierId'>>): Route =>
  bind(endpoint, build, knownAs)

/** Binds such a read that tells the prices of the caller's tier: only whoever may have some is looked up. */
export const pricedRoute = <E extends EndpointShape>(endpoint: E, build: Build<E, Viewer>): Route =>
  bind(endpoint, build, asInForce)

function bind<E extends EndpointShape>(
  endpoint: E,
  build: Build<E, Viewer>,
  viewerOf: (catalogue: Catalogue, proof: Proof, shop: Shop, endpoint: E) => Known | Promise<Known>,
): Route {
  // What is told without reading an account must be open to everybody; this throws when the server starts.
  authorise(GUEST, endpoint.allow)

  function make(shop: Shop, catalogue: Catalogue, input: ParsedInput<E>, viewer: Viewer, told: number): Answer {
    const body = new TextEncoder().encode(JSON.stringify(endpoint.reply.parse(build(catalogue, input, viewer, shop))))
    const etag = etagOf(body)
    const isGuest = viewer.caller === 'guest'
    const headers = {
      'content-type': 'application/json',
      'cache-control': isGuest ? GUESTS_CACHE : 'no-store',
      vary: 'authorization',
      [CATALOGUE_VERSION]: String(told),
      'x-content-type-options': 'nosniff',
      ...(isGuest && { etag }),
    }
    return { body, etag, headers }
  }

  async function answer(c: HonoContext, shop: Shop): Promise<Response> {
    const proof = c.req.header('authorization') === undefined ? null : await prove(c.req, shop)
    const catalogue = await catalogueFor(shop, c)
    const { caller, tierId } = proof ? await viewerOf(catalogue, proof, shop, endpoint) : NOBODY
    const now = shop.now()
    const told = toldVersion(catalogue.version, now)
    const answers = answersOf(catalogue, told)
    const { path } = c.req
    let input = c.req.url.includes('?') ? (parseInput(c, endpoint) as ParsedInput<E>) : null
    const key = `${caller} ${tierId} ${path}`
    let found = answers.get(key)
    if (!found) {
      input ??= parseInput(c, endpoint) as ParsedInput<E>
      found = make(shop, catalogue, input, { caller, tierId, now }, told)
      // Only one spelling of an address is cached; escapes allow many others, which would fill the memory.
      if (path === urlOf(endpoint, { params: input.params as never })) answers.set(key, found)
    }
    const isKnown = caller === 'guest' && c.req.header('if-none-match')?.includes(found.etag)
    return isKnown
      ? new Response(null, { status: 304, headers: found.headers })
      : new Response(found.body, { headers: found.headers })
  }

  return { endpoint, answer }
}

/** Returns a catalogue of at least the version that a request asks for; what is no version is refused with its input. */
async function catalogueFor({ catalogue }: Pick<Shop, 'catalogue'>, c: HonoContext): Promise<Catalogue> {
  const latest = await catalogue.latest()
  const asked = storedVersion(Number(c.req.query('version') ?? 0))
  return asked > latest.version ? catalogue.atLeast(asked) : latest
}
