import * as contract from '@shop/shared/slipcheck/endpoints.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { isQuotaLow } from './check.ts'
import { countAsksOfMonth, findStop } from './store.ts'

async function viewService({ shop, now }: Context) {
  const { db, slipProvider, config } = shop
  const { SLIP_MONTHLY_QUOTA: monthlyQuota, SLIP_SHADOW: isShadow } = config
  const usedThisMonth = slipProvider ? await countAsksOfMonth(db, slipProvider.name, now) : 0
  const stop = slipProvider && (await findStop(db, slipProvider.name, now))
  return {
    provider: slipProvider?.name ?? null,
    isShadow,
    usedThisMonth,
    monthlyQuota,
    isQuotaLow: slipProvider !== null && isQuotaLow(usedThisMonth, monthlyQuota),
    stopped: stop && inJson(stop),
    nowDate: now.toISOString(),
  }
}

export const slipCheckRoutes: Route[] = [route(contract.getSlipService, (_, context) => viewService(context))]
