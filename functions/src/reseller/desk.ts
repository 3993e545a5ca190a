import type { ParsedInput, ReplyInput } from '@shop/shared/endpoint.ts'
import { invariant } from '@shop/shared/errors.ts'
import * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import type { MachineKey } from '../account/key-ring.ts'
import type { Context } from '../call/route.ts'
import { hashRequest } from '../http/idempotency.ts'

/** What the API's calls ask for. The shop itself answers keys of live mode, play money those of test mode. */
export interface Desk {
  checkPlayer(
    context: Context,
    body: ParsedInput<typeof v1.checkApiPlayer>['body'],
  ): Promise<ReplyInput<typeof v1.checkApiPlayer>>
  wallet(context: Context): Promise<ReplyInput<typeof v1.getApiWallet>>
  entries(
    context: Context,
    query: ParsedInput<typeof v1.listApiEntries>['query'],
  ): Promise<ReplyInput<typeof v1.listApiEntries>>
  find(context: Context, by: OrderName): Promise<v1.ApiOrder>
  list(
    context: Context,
    query: ParsedInput<typeof v1.listApiOrders>['query'],
  ): Promise<ReplyInput<typeof v1.listApiOrders>>
  cancel(context: Context, id: string): Promise<v1.ApiOrder>
  codes(context: Context, id: string): Promise<ReplyInput<typeof v1.getApiCodes>>
}

/** How the API names an order: by our number, or by the caller's own reference. */
export type OrderName = { orderNo: string } | { ref: string }

export type ApiOrderBody = ParsedInput<typeof v1.createApiOrder>['body']

/** The key that a machine's call came with, and whose it is. */
export function machineOf({ machineKey, uid }: Pick<Context, 'machineKey' | 'uid'>): { key: MachineKey; uid: string } {
  invariant(machineKey && uid, 'only keys reach this')
  return { key: machineKey, uid }
}

/** Two bodies are the same when they ask for the same, whatever the order of their fields. */
export const hashApiOrder = (body: ApiOrderBody): string =>
  hashRequest(v1.createApiOrder.method, v1.createApiOrder.path, Buffer.from(JSON.stringify(body)))
