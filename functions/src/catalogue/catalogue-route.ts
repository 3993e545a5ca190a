import { createHash } from 'node:crypto'
import { CATALOGUE_VERSION, storedVersion, toldVersion } from '@shop/shared/catalogue-version.ts'
import { urlOf } from '@shop/shared/client.ts'
import type { EndpointShape, ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import type { Context as HonoContext } from 'hono'
import { authorise, GUEST, identify, prove } from '../account/caller.ts'
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
type Build<E extends EndpointShape> = (
  catalogue: Catalogue,
  input: ParsedInput<E>,
  viewer: Viewer,
  installed: Installed,
) => ReplyInput<E>

/**
 * Binds a read that depends only on the catalogue, the caller's role and tier, the day and what is installed. Each answer is made once
 * and kept in memory. Guests' answers may be cached on the way, those of signed-in people may not.
 */
export function catalogueRoute<E extends EndpointShape>(endpoint: E, build: Build<E>): Route {
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
    const identity =
      c.req.header('authorization') === undefined ? GUEST : await identify(await prove(c.req, shop), shop)
    authorise(identity, endpoint.allow)
    const { caller, account } = identity
    const now = shop.now()
    let input = c.req.url.includes('?') ? (parseInput(c, endpoint) as ParsedInput<E>) : null
    const catalogue = await catalogueFor(shop, input?.query as { version?: number } | undefined)
    const told = toldVersion(catalogue.version, now)
    const answers = answersOf(catalogue, told)
    const { path } = c.req
    const tierId = account?.tierId ?? null
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

async function catalogueFor(
  { catalogue }: Pick<Shop, 'catalogue'>,
  query: { version?: number } | undefined,
): Promise<Catalogue> {
  const latest = await catalogue.latest()
  const asked = storedVersion(query?.version ?? 0)
  return asked > latest.version ? catalogue.atLeast(asked) : latest
}
