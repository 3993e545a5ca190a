import { createHash } from 'node:crypto'
import { CATALOGUE_VERSION, storedVersion, toldVersion } from '@shop/shared/catalogue-version.ts'
import { urlOf } from '@shop/shared/client.ts'
import type { EndpointShape, ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import type { Context as HonoContext } from 'hono'
import { authorise, GUEST, identify } from '../http/caller.ts'
import { parseInput, type Route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import type { Viewer } from './on-sale.ts'
import type { Catalogue } from './snapshot.ts'

/**
 * How long a browser and a CDN may keep what a guest was told. With the check of the process (CATALOGUE_CHECK_MS) a change is
 * seen by everybody within ten seconds, also where nothing says how old an answer was when it came out of the CDN.
 */
const GUESTS_CACHE = 'public, max-age=3, s-maxage=4'

interface Answer {
  body: Uint8Array<ArrayBuffer>
  /** Of the text itself: it holds over versions that left it alone and not over a server that words it otherwise. */
  etag: string
  headers: Record<string, string>
}

/** Answers that were made of a catalogue on a Bangkok day, by what was asked and for whom. */
const made = new WeakMap<Catalogue, { told: number; answers: Map<string, Answer> }>()

function answersOf(catalogue: Catalogue, told: number): Map<string, Answer> {
  let kept = made.get(catalogue)
  if (kept?.told !== told) {
    kept = { told, answers: new Map() }
    made.set(catalogue, kept)
  }
  return kept.answers
}

type Build<E extends EndpointShape> = (catalogue: Catalogue, input: ParsedInput<E>, viewer: Viewer) => ReplyInput<E>

/**
 * Binds a read that follows from the catalogue, the caller's role and tier, and the day: it is answered from memory, and the
 * answer is made once. Guests' answers may be kept on the way to them, those of people who signed in may not.
 */
export function catalogueRoute<E extends EndpointShape>(endpoint: E, build: Build<E>): Route {
  function make(catalogue: Catalogue, input: ParsedInput<E>, viewer: Viewer, told: number): Answer {
    const body = new TextEncoder().encode(JSON.stringify(endpoint.reply.parse(build(catalogue, input, viewer))))
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
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
    const identity = c.req.header('authorization') === undefined ? GUEST : await identify(c.req, shop)
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
      found = make(catalogue, input, { caller, tierId, now }, told)
      // One way to write an address: others, as escapes allow, would fill the memory.
      if (path === urlOf(endpoint, { params: input.params as never })) answers.set(key, found)
    }
    const isKnown = caller === 'guest' && c.req.header('if-none-match')?.includes(found.etag)
    return isKnown
      ? new Response(null, { status: 304, headers: found.headers })
      : new Response(found.body, { headers: found.headers })
  }

  return { endpoint, answer }
}

async function catalogueFor({ catalogue }: Shop, query: { version?: number } | undefined): Promise<Catalogue> {
  const latest = await catalogue.latest()
  const asked = storedVersion(query?.version ?? 0)
  return asked > latest.version ? catalogue.atLeast(asked) : latest
}
