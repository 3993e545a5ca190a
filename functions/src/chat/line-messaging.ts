import { readSendAnswer, type SendAnswer } from '@shop/shared/chat/answer.ts'
import type { LineMessage } from '@shop/shared/chat/flex.ts'
import * as z from 'zod'
import { askWithAny } from '../asking/keys.ts'
import { askJson } from '../http/ask-json.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when the shop sends no messages in LINE. */
    chat: LineMessaging | null
  }
}

/** LINE's Messaging API, as far as the shop uses it. Never throws. */
export interface LineMessaging {
  push(message: { to: string; retryKey: string; messages: readonly LineMessage[] }): Promise<SendAnswer>
  reply(message: { replyToken: string; messages: readonly LineMessage[] }): Promise<SendAnswer>
  /**
   * Returns how many messages the month allows and has used; null when LINE does not answer. `limit` null means no
   * limit.
   */
  quota(): Promise<{ limit: number | null; used: number } | null>
  /** Returns null when LINE does not answer or the shop is not in the group. */
  group(groupId: string): Promise<{ name: string; memberCount: number } | null>
}

interface Options {
  baseUrl: string
  /** The newest first. */
  accessTokens: readonly string[]
  onAccepted?: (accessToken: string) => Promise<void>
  timeoutMs: number
}

const quotaReply = z.object({ type: z.enum(['none', 'limited']), value: z.number().int().optional() })
const usageReply = z.object({ totalUsage: z.number().int() })
const summaryReply = z.object({ groupName: z.string() })
const countReply = z.object({ count: z.number().int() })

export function createLineMessaging({ baseUrl, accessTokens, timeoutMs, onAccepted }: Options): LineMessaging {
  const asking = askWithAny(accessTokens, onAccepted)

  async function call(path: string, post?: { body: object; headers?: Record<string, string> }) {
    const reply = await asking(
      accessToken => {
        const headers = { authorization: `Bearer ${accessToken}`, ...post?.headers }
        return askJson(`${baseUrl}/v2/bot/${path}`, { json: post?.body, headers, timeoutMs })
      },
      answer => answer && (answer.status === 401 ? 'refused' : 'accepted'),
    )
    if (!reply) return null
    const requestId = reply.headers.get('x-line-accepted-request-id') ?? reply.headers.get('x-line-request-id')
    return { status: reply.status, requestId, body: reply.body }
  }

  async function read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | null> {
    const reply = await call(path)
    return reply?.status === 200 ? (schema.safeParse(reply.body).data ?? null) : null
  }

  return {
    push: async ({ to, retryKey, messages }) =>
      readSendAnswer(await call('message/push', { body: { to, messages }, headers: { 'x-line-retry-key': retryKey } })),
    // Replies are sent without a retry key, which LINE refuses here; a reply token works only once anyway.
    reply: async body => readSendAnswer(await call('message/reply', { body })),
    async quota() {
      const [quota, usage] = await Promise.all([
        read('message/quota', quotaReply),
        read('message/quota/consumption', usageReply),
      ])
      return quota && usage && { limit: quota.value ?? null, used: usage.totalUsage }
    },
    async group(groupId) {
      const [summary, members] = await Promise.all([
        read(`group/${groupId}/summary`, summaryReply),
        read(`group/${groupId}/members/count`, countReply),
      ])
      return summary && members && { name: summary.groupName, memberCount: members.count }
    },
  }
}
