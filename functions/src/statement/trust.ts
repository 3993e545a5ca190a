import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import { audit } from '../audit/store.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { runOnce } from '../http/idempotency.ts'
import { findSourceMaker, judgeChain } from './chain-store.ts'
import { lockAccount } from './import-store.ts'
import { readLineDetails } from './lines.ts'
import { matchLines } from './matching.ts'
import { lockLine, noteLine } from './store.ts'

type Input = ParsedInput<typeof contract.trustStatementLine>

/**
 * Lets somebody who had no part in bringing a line confirm its balance; the line and those that follow from it are then
 * believed. @throws NOT_FOUND, CONFLICT, LINE_FOLLOWS, LINE_OWN_SOURCE
 */
async function trust(tx: Sql, context: Context, { params: { id }, body: { version, reason } }: Input): Promise<number> {
  const person = personOf(context)
  const { uid, now } = person
  const source = await findSourceMaker(tx, id)
  if (!source) throw new AppError('NOT_FOUND')
  // The account is locked first, as imports do.
  await lockAccount(tx, source.receivingAccountId)
  const line = await lockLine(tx, id)
  if (!line) throw new AppError('NOT_FOUND')
  if (line.version !== version) throw new AppError('CONFLICT')
  if (line.chain !== 'gap' || line.state === 'void') throw new AppError('LINE_FOLLOWS')
  if (source.madeBy === uid) throw new AppError('LINE_OWN_SOURCE')
  await noteLine(tx, 'trust', { chain: 'ok' }, { id, actorUid: uid, reason, at: now })
  await judgeChain(tx, line.receivingAccountId, line.day)
  await audit(tx, person, {
    action: 'statement.trust',
    subject: `statementLine:${id}`,
    before: null,
    after: { reason, amountSatang: line.amountSatang, balanceSatang: line.balanceSatang },
  })
  return line.receivingAccountId
}

async function trustOnce(context: Context, input: Input) {
  const { shop, now } = context
  const { receivingAccountId } = await runOnce(shop.db, mustBeOnce(context), now, async tx => ({
    receivingAccountId: await trust(tx, context, input),
  }))
  await matchLines(shop, receivingAccountId)
  return readLineDetails(shop.db, input.params.id)
}

export const trustRoutes: Route[] = [route(contract.trustStatementLine, (input, context) => trustOnce(context, input))]
