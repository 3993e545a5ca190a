import { AppError } from '@shop/shared/errors.ts'
import { apiStatusCode } from '@shop/shared/reseller/errors.ts'
import type { Context as HonoContext } from 'hono'
import { prove } from '../account/caller.ts'
import type { MachineKey } from '../account/key-ring.ts'
import { answerError, failureOf, type Route, type SentInput } from '../call/route.ts'
import { addressOf } from '../http/address.ts'
import { factsOf, log } from '../http/log.ts'
import type { LimitName } from '../http/rate-limit.ts'
import type { Shop } from '../shop/shop.ts'
import { isOnList } from './addresses.ts'
import { operationOf } from './operations.ts'
import { tellRefusal } from './refusal-news.ts'

/** Returns the key of a call. @throws KEY_UNKNOWN, also for a call without one */
async function keyOf(c: HonoContext, shop: Shop, address: string): Promise<MachineKey> {
  try {
    const { machineKey } = await prove(c.req, shop, true)
    if (machineKey) return machineKey
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 401) throw error
  }
  await shop.limits.take('wrongKeysPerAddress', address)
  throw new AppError('KEY_UNKNOWN')
}

const MOST_LETTERS = 100

/** What a call names its order by, however wrong that may be; null when it is about none. */
function refOf(c: HonoContext): string | null {
  const { ref, id } = c.req.param()
  const { body } = (c.get('sent') as SentInput | undefined) ?? {}
  const named = ref ?? id ?? (body as { ref?: unknown } | null | undefined)?.ref
  return typeof named === 'string' ? named.slice(0, MOST_LETTERS) : null
}

/**
 * Makes a route one for machines: only keys open it, from their own addresses and as often as their limit allows. Each
 * call is counted, and failures have the statuses of the API.
 * @param limit null where the handler counts the call itself
 */
export const machineRoute = ({ endpoint, answer }: Route, limit: LimitName | null): Route => ({
  endpoint,
  async answer(c, shop, askSecond) {
    const address = addressOf(c, shop)
    let key: MachineKey | null = null
    const count = (status: number, code: string | null) => {
      if (!key) return
      const [call, ref] = [operationOf(endpoint).id, refOf(c)]
      shop.keyUse.count({ keyId: key.id, address, call, status, code, ref, now: shop.now() })
    }
    try {
      key = await keyOf(c, shop, address)
      if (!isOnList(key.addresses, address)) throw new AppError('KEY_ADDRESS_REFUSED')
      if (limit) await shop.limits.take(limit, key.id)
      const response = await answer(c, shop, askSecond)
      count(response.status, null)
      return response
    } catch (error) {
      const refusal = answerError(inputNamed(error), c, shop, { statusOf: apiStatusCode })
      count(refusal.status, failureOf(error).code)
      if (key && error instanceof AppError)
        await tellRefusal(shop, key, error.code, address).catch((cause: unknown) =>
          log('ERROR', 'owner of a key not told', { cause: factsOf(cause) }),
        )
      return refusal
    }
  },
})

/** The shop calls a game's first input `field1`, an order of the API `playerId`. */
function inputNamed(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.fields?.field1) return error
  const { field1, ...others } = error.fields
  return Object.assign(error, { fields: { playerId: field1, ...others } })
}
