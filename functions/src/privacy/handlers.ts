import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/privacy/endpoints.ts'
import { ERASURE_BARRIER, type ErasureBarrier } from '@shop/shared/privacy/erasure.ts'
import { endMachines } from '../access/machines.ts'
import { tellOwner, viaOf } from '../access/news.ts'
import { mustBeRecent, ownAccount, signedInOf } from '../access/own-account.ts'
import { lockAccounts, saveAccount } from '../account/store.ts'
import { audit } from '../audit/store.ts'
import { type Context, limitKey, type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { moveValue } from '../value/moving.ts'
import { copyOf } from './copy.ts'
import {
  findBarriers,
  findErasure,
  findErasures,
  findOpenErasure,
  findOwnUids,
  insertErasure,
  type ListedErasure,
  saveApproval,
  subjectOf,
  type Whose,
  withdrawErasure,
} from './store.ts'

function mustBeFree(barriers: readonly ErasureBarrier[]): void {
  if (barriers.length === 0) return
  const why = barriers.map(barrier => ERASURE_BARRIER[barrier]).join(' และ ')
  throw new AppError('ERASURE_BARRED', { values: { why } })
}

/** What the caller's erasure takes with it: their accounts, and what they bought as a guest in this browser. */
async function whoseOf(db: Sql, { uid }: Person, { guestHash }: Context): Promise<Whose> {
  return { uids: await findOwnUids(db, uid), guestHash }
}

async function readOwn(context: Context): Promise<contract.OwnErasure> {
  const { db } = context.shop
  const by = signedInOf(context)
  await ownAccount({ db }, by)
  const request = await findOpenErasure(db, by.uid)
  const barriers = await findBarriers(db, await whoseOf(db, by, context), by.now)
  return { request: request && { state: request.state, askedAt: request.askedAt.toISOString() }, barriers }
}

async function ask(context: Context): Promise<contract.OwnErasure> {
  const { db } = context.shop
  const by = signedInOf(context)
  await ownAccount({ db }, by)
  mustBeRecent(by)
  await db.transaction(async tx => {
    await lockAccounts(tx, [by.uid])
    const whose = await whoseOf(tx, by, context)
    mustBeFree(await findBarriers(tx, whose, by.now))
    if (!(await insertErasure(tx, whose, by.now))) return
    await tellOwner(tx, { uid: by.uid, kind: 'erasureAsked', byShop: false, facts: viaOf(by.token), at: by.now })
  })
  return readOwn(context)
}

async function withdraw(context: Context): Promise<contract.OwnErasure> {
  const { uid, now } = personOf(context)
  const isWithdrawn = await context.shop.db.transaction(async tx => {
    await lockAccounts(tx, [uid])
    return withdrawErasure(tx, uid, now)
  })
  if (!isWithdrawn) throw new AppError('ERASURE_OVER')
  return readOwn(context)
}

async function download(context: Context) {
  const { shop } = context
  const by = personOf(context)
  await ownAccount(shop, by)
  await shop.limits.take('copiesPerCaller', limitKey(context))
  const body = copyOf(shop.db, await whoseOf(shop.db, by, context), by.now)
  return { body, contentType: 'application/json; charset=utf-8', fileName: 'my-data.json' }
}

/**
 * Closes the accounts and leaves the rest to a job. From here on there is no
 * way back, so it takes two.
 */
async function approve({ db }: Pick<Shop, 'db'>, by: Person, id: string): Promise<void> {
  await db.transaction(async tx => {
    const asked = await findErasure(tx, id)
    if (!asked) throw new AppError('NOT_FOUND')
    if (asked.state !== 'asked') throw new AppError('ERASURE_OVER')
    const uid = asked.uids[0]!
    await lockAccounts(tx, [uid])
    if ((await findErasure(tx, id, true))?.state !== 'asked') throw new AppError('ERASURE_OVER')
    const own = await findOwnUids(tx, uid)
    if (own.includes(by.uid)) throw new AppError('FORBIDDEN')
    mustBeFree(await findBarriers(tx, { ...asked, uids: own }, by.now))
    const note = 'เจ้าของบัญชีขอเอง ย้อนกลับไม่ได้'
    const owners = own.map(each => `u:${each}`)
    await moveValue(tx, by, { kind: 'accountErased', amountSatang: 0, subject: subjectOf(id), note, owners })
    for (const each of own) await endMachines(tx, { uid: each, by: by.uid, now: by.now })
    await tellOwner(tx, { uid, kind: 'erasureApproved', byShop: true, at: by.now })
    for (const each of own) await saveAccount(tx, each, { status: 'inactive', tokensValidAfter: by.now })
    await saveApproval(tx, id, own, by.now)
    const sides = { before: { state: 'asked' }, after: { state: 'approved' } }
    await audit(tx, by, { action: 'account.approveErasure', subject: subjectOf(id), ...sides })
    await enqueue(tx, { kind: 'account.erase', key: id, payload: { erasureId: id }, now: by.now })
  })
}

async function view(db: Sql, row: ListedErasure, now: Date): Promise<contract.Erasure> {
  const { id, state, askedAt, approvedAt, endedAt, uids, name, approvedByName, secondByName } = row
  const isOpen = state === 'asked' || state === 'approved'
  const uid = uids[0]
  return {
    id,
    state,
    askedAt: askedAt.toISOString(),
    approvedAt: approvedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    account: uid === undefined || name === null ? null : { uid, name },
    approvedByName,
    secondByName,
    barriers: isOpen ? await findBarriers(db, row, now) : [],
  }
}

export const privacyRoutes: Route[] = [
  route(contract.getOwnErasure, (_, context) => readOwn(context)),
  route(contract.askErasure, (_, context) => ask(context)),
  route(contract.withdrawErasure, (_, context) => withdraw(context)),
  route(contract.downloadOwnData, (_, context) => download(context)),
  route(contract.listErasures, async ({ query }, { shop, now }) => {
    const { state, ...paging } = query
    const { rows, total } = await findErasures(shop.db, state === 'open', paging)
    return { rows: await Promise.all(rows.map(row => view(shop.db, row, now))), total, nowDate: now.toISOString() }
  }),
  route(contract.approveErasure, async ({ params }, context) => {
    await approve(context.shop, personOf(context), params.id)
    return { id: params.id }
  }),
]
