import { type RunningMailInbox, startMailInbox } from 'local/mail-inbox/server.ts'
import { type ChatShop, createChatShop } from './chat.ts'

export interface MailShop extends ChatShop {
  inbox: RunningMailInbox
  /** Subjects of the mails to an address, without the shop's name, oldest first. */
  mailedTo: (address: string) => string[]
}

/** A shop that mails to an inbox of its own, beside speaking in LINE. */
export async function createMailShop(env: Record<string, string> = {}): Promise<MailShop> {
  const inbox = await startMailInbox({ port: 0 })
  const it = await createChatShop({ ...inbox.environment, ...env })
  return {
    ...it,
    inbox,
    mailedTo: address =>
      inbox.mails.filter(({ to }) => to.includes(address)).map(({ headers }) => headers.subject!.split(' · ')[0]!),
    async close() {
      await Promise.all([it.close(), inbox.stop()])
    },
  }
}
