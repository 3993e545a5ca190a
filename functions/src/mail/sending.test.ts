import { writeLetter } from '@shop/shared/letter.ts'
import { getMail, resendMails } from '@shop/shared/mail/endpoints.ts'
import { UNMAILED } from '@shop/shared/mail/mail.ts'
import type { MailFault } from 'local/mail-inbox/server.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../jobs/housekeeping.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { putMail } from './store.ts'

let it: MailShop
beforeEach(async () => {
  it = await createMailShop({ SMTP_TIMEOUT_MS: '1000' })
})
afterEach(() => it.close())

const address = 'agent@test.shop'
const letter = writeLetter({
  title: 'ร้านตั้งรหัสผ่านใหม่',
  opening: 'เปิด',
  facts: [{ label: 'โดย', value: 'ทีมงานร้าน' }],
  advice: 'ติดต่อร้าน',
  action: { label: 'เปิดบัญชี', url: 'https://shop.test/user/agent' },
})

const put = (change: Partial<Parameters<typeof putMail>[1]> = {}) =>
  putMail(
    it.db,
    { key: 'a', kind: 'passwordReset', uid: 'agent', recipient: address, ...letter, ...change },
    it.clock.now,
  )

const stored = async () => {
  const [row] = await it.db.query<{ state: string; reason: string | null; attempts: number }>({
    text: 'SELECT state, reason, attempts FROM mail_message ORDER BY id DESC LIMIT 1',
  })
  return row!
}

/** Drains, and again after each step of the clock. */
async function drainFor(seconds: number, step = 60) {
  await it.drain()
  for (let left = seconds; left > 0; left -= step) {
    it.clock.advance(step)
    await it.drain()
  }
}

test('a mail arrives with its words, as text and as HTML, and says that a machine wrote it', async () => {
  await put()
  await it.drain()
  expect(it.inbox.mails).toHaveLength(1)
  const [mail] = it.inbox.mails
  expect(mail).toMatchObject({ from: 'no-reply@shop.test', to: [address], text: letter.text })
  expect(mail!.html).toBe(letter.html)
  expect(mail!.headers).toMatchObject({
    from: 'คราม เติมเกม <no-reply@shop.test>',
    to: address,
    subject: letter.subject,
    'auto-submitted': 'auto-generated',
  })
  expect(await stored()).toEqual({ state: 'sent', reason: null, attempts: 1 })
})

test('one thing is mailed to one address once, however often it is put down', async () => {
  await put()
  await put({ subject: 'other words' })
  await it.drain()
  expect(it.inbox.mails).toHaveLength(1)
})

describe('a server that', () => {
  test.each<MailFault>(['later', 'dataLater', 'senderRefused', 'silent'])(
    'fails (%s) gets the mail again until it takes it',
    async fault => {
      it.inbox.faults.push(fault, fault)
      await put()
      await drainFor(300)
      expect(it.inbox.mails).toHaveLength(1)
      expect(await stored()).toMatchObject({ state: 'sent', attempts: 3 })
    },
  )

  test.each<MailFault>(['noSuchMailbox', 'dataRefused'])(
    'refuses the mail for good (%s) is not asked again',
    async fault => {
      it.inbox.faults.push(fault)
      await put()
      await drainFor(300)
      expect(it.inbox.mails).toEqual([])
      expect(await stored()).toMatchObject({
        state: 'dead',
        reason: expect.stringContaining(UNMAILED.refused),
        attempts: 1,
      })
    },
  )

  test.each<MailFault>(['hangAfter', 'dropAfter'])(
    'takes the mail and does not say so (%s) gets it twice at most, as one and the same',
    async fault => {
      it.inbox.faults.push(fault)
      await put()
      await drainFor(300)
      const ids = it.inbox.mails.map(({ headers }) => headers['message-id'])
      expect(ids).toHaveLength(2)
      expect(new Set(ids).size).toBe(1)
      expect((await stored()).state).toBe('sent')
    },
  )

  test('nobody runs: the mail is tried for a day, then waits for staff, who send it again', async () => {
    await it.inbox.stop()
    await put()
    await drainFor(24 * 3600, 1800)
    const { state, reason, attempts } = await stored()
    expect(state).toBe('dead')
    expect(reason).toContain(UNMAILED.unreachable)
    expect(attempts).toBeGreaterThan(20)
    const { isOn, unsent } = await it.as('staff').call(getMail, {})
    expect([isOn, unsent]).toEqual([
      true,
      [expect.objectContaining({ recipient: address, state: 'dead', kind: 'passwordReset' })],
    ])
    it.shop.mail = { ...it.shop.mail!, send: async () => ({ kind: 'accepted' }) }
    const ids = unsent.map(({ id }) => id)
    expect(await it.as('staff').call(resendMails, { body: { ids } })).toEqual({ resent: 1 })
    expect(await it.as('staff').call(resendMails, { body: { ids } })).toEqual({ resent: 0 })
    await it.drain()
    expect((await stored()).state).toBe('sent')
  })
})

test('a mail whose sender was killed after the server had it is sent once more, as the same mail', async () => {
  await put()
  await it.drain()
  await it.db.query({ text: `UPDATE outbox SET state = 'waiting', attempts = 0` })
  await it.db.query({ text: `UPDATE mail_message SET state = 'waiting'` })
  await it.drain()
  const ids = it.inbox.mails.map(({ headers }) => headers['message-id'])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test.each([
  'a@test.shop\r\nBcc: b@test.shop',
  'a@test.shop, b@test.shop',
  'A <a@test.shop>',
  '<a@test.shop> SIZE=1',
  'a@test.shop>\r\nRCPT TO:<b@test.shop',
  '"a b"@test.shop',
  'a',
  '',
])('what is not one plain address (%j) gets nothing, and nobody else does', async recipient => {
  await put({ recipient })
  await it.drain()
  expect(it.inbox.mails).toEqual([])
  expect(await stored()).toMatchObject({ state: 'dead', reason: UNMAILED.badAddress, attempts: 0 })
})

test('no header can be written by what people typed', async () => {
  await put(writeLetter({ ...typed('x\r\nBcc: b@test.shop\r\n\r\nhello'), facts: [] }))
  await it.drain()
  const [mail] = it.inbox.mails
  expect(mail!.to).toEqual([address])
  expect(mail!.headers).not.toHaveProperty('bcc')
  expect(mail!.headers.subject).toMatch(/^x Bcc: b@test\.shop hello · /)
})

const typed = (text: string) => ({
  title: text,
  opening: text,
  advice: text,
  facts: [{ label: text, value: text }],
  action: { label: text, url: 'https://shop.test/' },
})

test('mails are kept for 90 days after they ended', async () => {
  await put()
  await it.drain()
  it.clock.advance(89 * 86_400)
  expect((await sweep(it.shop)).mail_message).toBe(0)
  it.clock.advance(2 * 86_400)
  expect((await sweep(it.shop)).mail_message).toBe(1)
})
