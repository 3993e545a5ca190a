import { listAudit } from '@shop/shared/audit/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

let agent = ''
let walletId = ''
let count = 0
beforeEach(async () => {
  agent = `agent-${++count}`
  await addAccount(it, agent, 'agent')
  walletId = await addWallet(it.db, { uid: agent, balanceSatang: 50_000, pin: null, now: it.clock.now })
})

/** A request that staff entered for the agent, with a slip. */
async function enter(): Promise<string> {
  const body = { walletId, amountSatang: 100_000, slipId: await addSlip(it, 'u:staff') }
  return (await it.as('staff').call(contract.addTopUp, { body, idempotencyKey: onceKey() })).id
}
const decide = (id: string, decision: { status: 'approve' | 'reject'; reason?: string; receivingAccountId?: number }) =>
  it.as('manager').codeOf(contract.decideTopUp, { body: { id, version: 1, ...decision }, idempotencyKey: onceKey() })
const auditOf = (id: string) =>
  it.db.query<{ action: string; actorUid: string; before: object | null; after: object }>({
    text: 'SELECT action, actor_uid AS "actorUid", before, after FROM audit_entry WHERE subject = $1 ORDER BY id',
    values: [`topUp:${id}`],
  })

test('the audit log follows a top-up from its entry to its correction, with what it was before', async () => {
  const id = await enter()
  await decide(id, { status: 'approve' })
  const correction = { body: { id, reason: 'ผิดรายการ' }, idempotencyKey: onceKey() }
  expect(await it.as('admin').call(contract.correctTopUp, correction)).toMatchObject({ id, balanceSatang: 50_000 })
  expect(await walletBalance(it.db, agent)).toBe(50_000)
  const [waiting, approved] = [{ status: 'waiting_approve', amountSatang: 100_000 }, { status: 'approve' }]
  expect(await auditOf(id)).toMatchObject([
    { action: 'topUp.add', actorUid: 'staff', before: null, after: waiting },
    { action: 'topUp.approve', actorUid: 'manager', before: waiting, after: approved },
    { action: 'topUp.correct', actorUid: 'admin', before: approved, after: { correctedAt: expect.any(String) } },
  ])
})

test('the audit log names the top-up and whose wallet it is for', async () => {
  await it.db.query({
    text: `UPDATE account SET given_name = 'ธนา', family_name = 'ใจดี' WHERE uid = $1`,
    values: [agent],
  })
  const id = await enter()
  await decide(id, { status: 'approve' })
  const log = await it.as('admin').call(listAudit, { query: { subject: `topUp:${id}` } })
  expect(log.rows.map(row => row.subjectName)).toEqual([expect.stringMatching(/^WT/), expect.stringMatching(/^WT/)])
  expect(log.names).toEqual({ [`wallet:${walletId}`]: 'ธนา ใจดี' })
  expect((await it.as('admin').call(listAudit, { query: { subject: 'account:' } })).names).toEqual({})
})

test('a rejection is in the audit log with its reason', async () => {
  const id = await enter()
  await decide(id, { status: 'reject', reason: 'ไม่พบยอด' })
  expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'topUp.reject', after: { reason: 'ไม่พบยอด' } })
})

test('nobody approves money into an account the shop has closed or never had', async () => {
  const id = await enter()
  for (const receivingAccountId of [fixture.accounts.closed, 99])
    expect(await decide(id, { status: 'approve', receivingAccountId })).toBe('RECEIVING_ACCOUNT_NOT_FOUND')
  expect(await walletBalance(it.db, agent)).toBe(50_000)
})

test('the search finds wallets by parts of names, takes wildcards as text and stops at twenty', async () => {
  const search = async (name: string) =>
    (await it.as('staff').call(contract.searchWallets, { query: { name } })).map(wallet => wallet.uid)
  expect(await search(agent.toUpperCase())).toEqual([agent])
  for (const name of ['%', '_']) expect(await search(name)).toEqual([])
  for (let n = 0; n < 21; n++) {
    await addAccount(it, `crowd-${n}`, 'agent')
    await addWallet(it.db, { uid: `crowd-${n}`, balanceSatang: 0, pin: null, now: it.clock.now })
  }
  expect(await search('crowd-')).toHaveLength(20)
})
