import { AppError } from '@shop/shared/errors.ts'
import { apiStatusCode } from '@shop/shared/reseller/errors.ts'
import type { Context as HonoContext } from 'hono'
import type { MachineKey } from '../account/key-ring.ts'
import { prove } from '../http/caller.ts'
import { factsOf, log } from '../http/log.ts'
import type { LimitName } from '../http/rate-limit.ts'
import { addressOf, answerError, type Route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import { isOnList } from './addresses.ts'
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
    const count = (isError: boolean) => {
      if (key) shop.keyUse.count({ keyId: key.id, address, isError, now: shop.now() })
    }
    try {
      key = await keyOf(c, shop, address)
      if (!isOnList(key.addresses, address)) throw new AppError('KEY_ADDRESS_REFUSED')
      if (limit) await shop.limits.take(limit, key.id)
      const response = await answer(c, shop, askSecond)
      count(false)
      return response
    } catch (error) {
      count(true)
      if (key && error instanceof AppError)
        await tellRefusal(shop, key, error.code, address).catch((cause: unknown) =>
          log('ERROR', 'owner of a key not told', { cause: factsOf(cause) }),
        )
      return answerError(inputNamed(error), c, shop, { statusOf: apiStatusCode })
    }
  },
})

/** The shop calls a game's first input `field1`, an order of the API `playerId`. */
function inputNamed(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.fields?.field1) return error
  const { field1, ...others } = error.fields
  return Object.assign(error, { fields: { playerId: field1, ...others } })
}
