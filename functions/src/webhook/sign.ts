import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

/** A new secret as its receiver's library takes it: `whsec_` and base64. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const PREFIX = 'msg_'

/** The header `webhook-id` of a message, and the message's id in it. */
export const webhookIdOf = (messageId: string): string => PREFIX + messageId
export const messageIdOf = (webhookId: string): string => webhookId.slice(PREFIX.length)

/**
 * The headers by which a receiver knows that a delivery comes from us, see Standard Webhooks 1.0.0.
 * @param secrets it is signed with each of them
 */
export const signedHeaders = (
  secrets: readonly string[],
  { webhookId, at, body }: { webhookId: string; at: Date; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> => ({
  'webhook-id': webhookId,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map(secret => new Webhook(secret).sign(webhookId, at, body)).join(' '),
})
