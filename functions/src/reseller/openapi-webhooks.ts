import { API_STATUSES, ENTRY_KINDS, KEY_MODES } from '@shop/shared/reseller/reseller.ts'
import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { WEBHOOK_EVENT, type WebhookEvent } from '@shop/shared/webhook/webhook.ts'
import { instant } from '@shop/shared/wire.ts'
import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'

const { id, ref, quantity } = createApiOrder.reply.shape
const amount = (description: string) => z.int().meta({ description: `${description} (satang)` })

/** What each kind of event says of its order or entry, with an example. The API tells the rest. */
const DATA = {
  order: {
    schema: z.looseObject({ id, ref, status: z.enum(API_STATUSES), quantity }),
    example: { id: 'KT2611-04821937', ref: 'INV-1042', status: 'completed', quantity: 1 },
  },
  wallet: {
    schema: z.looseObject({
      entryId: z.string(),
      kind: z.enum(ENTRY_KINDS),
      amount: amount('Negative when it left the wallet'),
      balance: amount('The balance after it'),
    }),
    example: { entryId: '019aa0a4-52a0-7c3e-8d4f-5a6b7c8d9e0f', kind: 'top_up', amount: 100_000, balance: 1_095_000 },
  },
  endpoint: {
    schema: z.looseObject({ endpointId: z.string(), mode: z.enum(KEY_MODES) }),
    example: { endpointId: '0c5a7d1e-3b2f-4a68-9e41-7d2c6f8b9a10', mode: 'test' },
  },
} as const

const kindOf = (type: WebhookEvent) => DATA[type.split('.')[0] as keyof typeof DATA]

/** The body of an event, as it is shown. */
export const eventExample = (type: WebhookEvent) => ({
  type,
  timestamp: '2026-11-20T05:00:09.000Z',
  data: kindOf(type).example,
})

/** The body of an event, for programs that check what they were sent. */
export const eventBody = (type: WebhookEvent) =>
  z.looseObject({
    type: z.literal(type),
    timestamp: instant.meta({ description: 'When it happened (UTC)' }),
    data: kindOf(type).schema,
  })

const HEADERS = z.object({
  'webhook-id': z.string().meta({ description: 'The same on every try of a message' }),
  'webhook-timestamp': z.string().meta({ description: 'When this try was signed, in seconds since 1970' }),
  'webhook-signature': z
    .string()
    .meta({ description: '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; several are parted by spaces' }),
})

/** What the shop sends, for the part `webhooks` of the document. */
export const WEBHOOKS: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(WEBHOOK_EVENT).map(([name, summary]) => {
    const type = name as WebhookEvent
    return [
      type,
      {
        post: {
          operationId: type,
          summary,
          tags: ['Webhooks'],
          requestParams: { header: HEADERS },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventBody(type), example: eventExample(type) } },
          },
          responses: {
            '2XX': { description: 'You have it' },
            '410': { description: 'Nothing is to be sent here any more' },
          },
        },
      },
    ]
  }),
)
