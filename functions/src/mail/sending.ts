import { isMailAddress, UNMAILED } from '@shop/shared/mail/mail.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { Settlement } from '../outbox/outbox.ts'
import type { MailAnswer } from './mailer.ts'
import { findWaitingMail, type StoredMail, saveMail } from './store.ts'

const FIRST_RETRY_SECONDS = 30
const LAST_RETRY_SECONDS = 3600

const retrySeconds = (attempts: number) => Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** attempts)

async function end(tx: Sql, { id }: StoredMail, reason: string, now: Date, isTry = false): Promise<Settlement> {
  await saveMail(tx, id, { state: 'dead', reason, settledAt: now, isTry })
  return { to: 'done' }
}

/** Stores the mail server's answer. */
async function settle(tx: Sql, mail: StoredMail, answer: MailAnswer, now: Date): Promise<Settlement> {
  if (answer.kind === 'accepted') {
    await saveMail(tx, mail.id, { state: 'sent', reason: null, settledAt: now, isTry: true })
    return { to: 'done' }
  }
  if (answer.kind === 'refused') return end(tx, mail, `${UNMAILED.refused} (${answer.message})`, now, true)
  const dueAt = addSeconds(now, retrySeconds(mail.attempts))
  if (dueAt >= mail.tryUntil) return end(tx, mail, `${UNMAILED.unreachable} (${answer.message})`, now, true)
  await saveMail(tx, mail.id, { reason: answer.message, isTry: true })
  return { to: 'waiting', dueAt, error: answer.message }
}

/**
 * Sends one mail outside any transaction and stores the result. When the process dies in between, the mail is sent
 * again: it may arrive twice but is never lost.
 */
export const mailSendHandler: OutboxHandler<'mail.send'> = {
  concurrency: 2,
  lockSeconds: 120,
  // More tries than the outbox's pauses allow in a day.
  mostFaults: 60,
  async run(shop, { mailId }) {
    const mail = await findWaitingMail(shop.db, mailId)
    if (!mail) return async () => ({ to: 'done' })
    if (!shop.mail) return tx => end(tx, mail, UNMAILED.off, shop.now())
    if (!isMailAddress(mail.recipient)) return tx => end(tx, mail, UNMAILED.badAddress, shop.now())
    const { recipient, createdAt, id, subject, text, html } = mail
    const answer = await shop.mail.send({ id, to: recipient, subject, text, html, date: createdAt })
    return tx => settle(tx, mail, answer, shop.now())
  },
  async giveUp(tx, { mailId }, now) {
    await saveMail(tx, mailId, { state: 'dead', reason: UNMAILED.unreachable, settledAt: now })
  },
}
