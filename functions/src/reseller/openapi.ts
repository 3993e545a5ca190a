import { AppError, type ErrorCode, errorMessage, invariant } from '@shop/shared/errors.ts'
import { API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { scopeOf } from '@shop/shared/reseller/reseller.ts'
import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import * as z from 'zod'
import type { createDocument } from 'zod-openapi'
import { type DocumentStyle, openApiDocument } from '../call/openapi.ts'
import { WEBHOOKS } from './openapi-webhooks.ts'
import { operationOf, TAGS } from './operations.ts'

export const DOCUMENT_PATH = '/reseller/openapi.json'
export const DOCS_PATH = '/reseller/docs'

const requestId = 'b2f1c0d9e8a74b6c9d0e1f2a3b4c5d6e'

const error = z
  .object({
    code: z
      .enum(API_ERROR_CODES)
      .meta({ description: 'Programs decide by it. New codes may come: take one that you do not know by its status' }),
    message: z.string().meta({ description: 'In Thai, for people' }),
    requestId: z.string().meta({ description: 'Tell it to the shop when you ask about this answer' }),
    fields: z.record(z.string(), z.string()).optional().meta({ description: 'What is wrong with each input, in Thai' }),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Facts that the code speaks of' }),
  })
  .meta({ id: 'Error' })

/** What stands in the text of an error in the place of what is only known when it happens. */
const UNKNOWN = { n: '…', field: '…' }

/** The Thai text of an error, with dots for what is only known when it happens. */
export const apiMessage = (code: ErrorCode): string => errorMessage(code, UNKNOWN)

const EXAMPLE_FACTS: Partial<Record<ErrorCode, Pick<AppError, 'fields' | 'details'>>> = {
  KEY_SCOPE_MISSING: { details: { scope: 'order' } },
  KEY_LIMIT_REACHED: { details: { left: 120_00 } },
  PRICE_ABOVE_MAX: { details: { price: 5200 } },
  WARNING_NOT_ACCEPTED: { details: { warning: 'ใช้ได้กับบัญชีประเทศไทยเท่านั้น' } },
  INVALID_INPUT: { fields: { packageId: 'กรุณาตรวจข้อมูลช่องนี้' } },
  PLAYER_FIELD_REQUIRED: { fields: { playerId: 'กรุณากรอก Player ID ให้ถูกต้อง' } },
}

const STYLE: DocumentStyle = {
  info: {
    title: `${SHOP_NAME}: API for resellers`,
    version: '1.0.0',
    description: [
      `The guide, with quick starts and a place to try every call, is at \`${DOCS_PATH}\`.`,
      'Amounts are whole satang: 100 is 1 baht. Times are UTC. A list that has a `nextCursor` goes on after it.',
      'Within v1 nothing is renamed or taken away; fields, calls, values and error codes are added.',
    ].join('\n\n'),
  },
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  bearer: { bearerFormat: 'API key', description: 'A key of the page “API สำหรับตัวแทน”: `rk_test_…` or `rk_live_…`' },
  security: [{ bearer: [] }],
  webhooks: WEBHOOKS,
  error,
  statusOf: apiStatusCode,
  errorExample: code => ({
    ...new AppError(code, { values: UNKNOWN, ...EXAMPLE_FACTS[code] }).toBody(requestId),
  }),
  describe: endpoint => {
    const { id, tag, examples } = operationOf(endpoint)
    const scope = scopeOf(endpoint.allow)
    invariant(scope, `no key may call ${endpoint.path}`)
    return {
      operationId: id,
      tags: [tag],
      description: `Scope of the key: \`${scope}\`.`,
      security: [{ bearer: [scope] }],
      examples,
    }
  },
}

/** Builds the public document of the resellers' API. @param origin where the API is served, without a path */
export const resellerDocument = (origin: string): ReturnType<typeof createDocument> =>
  openApiDocument(V1_ENDPOINTS, { ...STYLE, servers: [{ url: origin }] })
