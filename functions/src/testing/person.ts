import { updateUser } from '@shop/shared/account/endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { endAgentKey } from '@shop/shared/reseller/key-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { addKey } from './machine.ts'
import type { MailShop } from './mail.ts'
import { buyByBank, report } from './orders.ts'
import { onceKey } from './shop.ts'
import { addSlip, addWallet } from './wallet.ts'

let people = 0

/** Everything by which a person could be found. */
export interface Person {
  uid: string
  lineId: string
  guestKey: string
  orderNo: string
  slipId: string
  marks: string[]
}

/** A reseller with one of everything: orders, a wallet, slips, messages, a refund, keys, notes of staff, and a resting LINE account. */
export async function makePerson(it: MailShop, known?: string): Promise<Person> {
  const sql = (text: string, ...values: unknown[]) => it.db.query<Record<string, string>>({ text, values })
  const n = String(++people).padStart(4, '0')
  const uid = `firebase-person-${n}`
  const lineId = known ?? `U0123456789abcdef0123456789ab${n}`
  const marks = {
    given: `มะลิวัลย์${n}`,
    family: `ทองประเสริฐ${n}`,
    phone: `+6681234${n}`,
    email: `maliwan-${n}@person.example`,
    bank: `555666${n}`,
    player: `587654${n}`,
    playerName: `ผู้เล่นลับ${n}`,
    payer: `นางสาว ม${n}`,
  }
  await it.db.query({
    text: `INSERT INTO account (uid, username, providers, given_name, family_name, phone, email, email_verified, status, created_at)
      VALUES ($1, $2, '{password}', $2, $3, $4, $5, true, 'active', $6),
        ('line:' || $7, $2, '{}', $2, '', NULL, NULL, false, 'active', $6)`,
    values: [uid, marks.given, marks.family, marks.phone, marks.email, it.clock.now, lineId],
  })
  await sql(
    `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', $1, $2, $3)`,
    lineId,
    uid,
    it.clock.now,
  )
  await sql(`INSERT INTO chat_friend (line_id, is_friend, since) VALUES ($1, true, $2)`, lineId, it.clock.now)
  await it.shop.identityProvider.createUser({ uid, email: marks.email, displayName: marks.given })
  await it.shop.identityProvider.createUser({ uid: `line:${lineId}`, displayName: marks.given })
  const buyer = it.as(uid)
  const guestKey = buyer.headers['guest-key']!
  const guest = it.as(null, { 'guest-key': guestKey })

  // An order by transfer with its slip, delivered; one as a guest of the same browser, given up.
  const order = await buyByBank(buyer, { playerId: marks.player })
  const slipId = await addSlip(it, `u:${uid}`, `0153250913${n}ABCde`)
  await it.shop.files.write(`slips/${slipId}.jpg`, Buffer.from(`a slip of ${marks.payer}`), 'image/jpeg')
  await report(buyer, order.orderNo, slipId)
  const move = (orderNo: string, status: 'paid' | 'processing' | 'success' | 'cancel' | 'refunded', reason?: string) =>
    it.as('admin').call(updateOrderStatus, {
      body: {
        orderNo,
        status,
        ...(reason && { reason }),
        ...(status === 'success' && { deliveryReference: `sent to ${marks.playerName}` }),
      },
    })
  await move(order.orderNo, 'paid', `โทรจาก ${marks.phone}`)
  await move(order.orderNo, 'processing')
  await move(order.orderNo, 'success')
  const asGuest = await buyByBank(guest, { playerId: `9${marks.player}` })
  await it
    .as('admin')
    .call(updateOrderStatus, { body: { orderNo: asGuest.orderNo, status: 'cancel', reason: `โทรจาก ${marks.phone}` } })

  // A purchase from the wallet, and one that was refunded by transfer.
  await sql(`UPDATE account SET role = 'agent' WHERE uid = $1`, uid)
  const walletId = await addWallet(it.db, { uid, balanceSatang: 14_000, pin: '4321', now: it.clock.now })
  await sql('INSERT INTO agent_bank (uid, bank_code, bank_account) VALUES ($1, $2, $3)', uid, '004', marks.bank)
  const body = { gameId: 1, packageId: 1, playerId: marks.player, termsVersion: '1', pin: '4321' }
  const bought = await buyer.call(confirmOrder, { body, idempotencyKey: onceKey() })
  await move(bought.orderNo, 'processing')
  await move(bought.orderNo, 'success')
  const [orderRow] = await sql('SELECT id FROM orders WHERE order_no = $1', order.orderNo)
  await sql(
    `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, entered_by, reason, created_at)
      VALUES ($1, $2, $3, 100, 'reject', 2, $4, $5, $6)`,
    uuidv7(),
    `WT2611-${n}`,
    walletId,
    uid,
    `ชื่อไม่ตรง ${marks.payer}`,
    it.clock.now,
  )
  await sql(
    `INSERT INTO owed_refund (id, order_id, amount_satang, reason, created_at, undone_at, payee, payee_version) VALUES ($1, $2, 100, $3, $4, $4, $5, 1)`,
    uuidv7(),
    orderRow!.id,
    `คืนให้ ${marks.payer}`,
    it.clock.now,
    JSON.stringify({ bankCode: '004', accountNo: marks.bank, accountName: marks.payer }),
  )
  await sql(
    `UPDATE orders SET player_name = $2, proposed_player = $3 WHERE id = $1`,
    orderRow!.id,
    marks.playerName,
    JSON.stringify({ playerId: marks.player, playerName: marks.playerName }),
  )

  // What machines and staff noted.
  const checkId = uuidv7()
  await sql(
    `INSERT INTO slip_check (id, subject, subject_id, slip_id, owner_key, state, created_at) VALUES ($1, 'order', $2, $3, $4, 'staff', $5)`,
    checkId,
    orderRow!.id,
    slipId,
    `u:${uid}`,
    it.clock.now,
  )
  await sql(
    `INSERT INTO slip_ask (id, check_id, provider, asked_at, payer_name, payer_mask, raw, verdict) VALUES ($1, $2, 'slipok', $3, $4, 'x-5556', $5, $5)`,
    uuidv7(),
    checkId,
    it.clock.now,
    marks.payer,
    JSON.stringify({ name: marks.payer }),
  )
  await sql(
    `INSERT INTO supplier_attempt (id, order_id, supplier, reference, sku, quantity, fields, max_cost_satang, state, sent_at) VALUES
      ($1, $2, 'seagm', $3, 'uc', 1, ARRAY[$4], 100, 'failed', $5)`,
    uuidv7(),
    orderRow!.id,
    `R${n}`,
    marks.player,
    it.clock.now,
  )
  await it
    .as('manager')
    .call(updateUser, { body: { uid, phoneNumber: marks.phone, firstName: marks.given, lastName: marks.family } })
  await sql(
    `INSERT INTO value_move (id, at, actor_uid, actor_role, kind, amount_satang, subject, note, is_alone) VALUES ($1, $2, 'manager', 'manager', 'pinReset', 0, $3, $4, false)`,
    uuidv7(),
    it.clock.now,
    `account:${uid}`,
    `ขอโดย ${marks.given}`,
  )
  await sql(
    `INSERT INTO ledger_transaction (id, kind, subject_id, reason, at) SELECT $1, 'correction', id, $2, $3 FROM wallet WHERE uid = $4`,
    uuidv7(),
    `แก้ให้ ${marks.given}`,
    it.clock.now,
    uid,
  )
  await sql(
    `INSERT INTO outbox (id, kind, key, payload, state, due_at, created_at, settled_at) VALUES ($1, 'chat.hear', $2, $3, 'done', $4, $4, $4)`,
    uuidv7(),
    `event-${n}`,
    JSON.stringify({ userId: lineId }),
    it.clock.now,
  )
  // A key of their machine that works, and one that staff ended.
  await addKey(it, uid)
  const { id } = await addKey(it, uid)
  await sql('UPDATE reseller_key SET name = $2 WHERE uid = $1', uid, `เครื่องของ ${marks.given}`)
  const reason = `โทรจาก ${marks.phone}`
  await it.as('manager').call(endAgentKey, { params: { uid, id }, body: { reason } })
  await it.drain()
  return {
    uid,
    lineId,
    guestKey,
    orderNo: order.orderNo,
    slipId,
    marks: [...Object.values(marks), uid, lineId],
  }
}
