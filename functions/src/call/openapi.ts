import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { type ErrorCode, errorStatus } from '@shop/shared/errors.ts'
import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { errorsOf } from './endpoint-errors.ts'

/** What a document says beside the calls themselves. */
export interface DocumentStyle extends Pick<ZodOpenApiObject, 'info' | 'servers' | 'tags' | 'security' | 'webhooks'> {
  /** What a caller sends as `Authorization: Bearer …`. */
  bearer: { bearerFormat: string; description?: string }
  /** The body of every failure. */
  error: z.ZodType
  /** The status of an error code in this API. */
  statusOf: (code: ErrorCode) => number
  /** An answer with an error; without it, answers with errors have no examples. */
  errorExample?: (code: ErrorCode) => object
  /** What a call's operation has beside its input, answer and errors. */
  describe: (endpoint: EndpointShape) => Pick<
    ZodOpenApiOperationObject,
    'tags' | 'description' | 'operationId' | 'security'
  > & {
    examples?: { body?: object; reply: object }
  }
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds until another try is worthwhile',
    schema: { type: 'integer' as const },
  },
}
/** The statuses whose answers say when to come back. */
const SAY_WHEN = [429, 503]

function failureOf(status: number, codes: ErrorCode[], style: DocumentStyle): ZodOpenApiResponseObject {
  const { errorExample } = style
  return {
    description: codes.join(', '),
    ...(SAY_WHEN.includes(status) && { headers: RETRY_AFTER }),
    content: {
      'application/json': {
        schema: style.error,
        ...(errorExample && {
          examples: Object.fromEntries(codes.map(code => [code, { value: errorExample(code) }])),
        }),
      },
    },
  }
}

function requestBodyOf(endpoint: EndpointShape, example?: object): Partial<ZodOpenApiOperationObject> {
  if (endpoint.bodyKind === 'file') {
    const schema = z.object({ file: z.string().meta({ format: 'binary' }) })
    return { requestBody: { content: { 'multipart/form-data': { schema } } } }
  }
  if (!endpoint.body) return {}
  const schema = endpoint.callable ? z.object({ data: endpoint.body }) : endpoint.body
  return { requestBody: { required: true, content: { 'application/json': { schema, ...(example && { example }) } } } }
}

function replyOf(endpoint: EndpointShape, example?: object): ZodOpenApiResponseObject {
  if (endpoint.replyKind) {
    const type = endpoint.replyKind === 'csv' ? 'text/csv' : 'application/octet-stream'
    return { description: 'OK', content: { [type]: {} } }
  }
  const schema = endpoint.callable ? z.object({ result: endpoint.reply }) : endpoint.reply
  return { description: 'OK', content: { 'application/json': { schema, ...(example && { example }) } } }
}

function operationOf(endpoint: EndpointShape, style: DocumentStyle): ZodOpenApiOperationObject {
  const byStatus = Map.groupBy(errorsOf(endpoint), style.statusOf)
  const failures = [...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes, style)])
  const { examples, ...described } = style.describe(endpoint)
  return {
    summary: endpoint.summary,
    ...described,
    requestParams: {
      ...(endpoint.params && { path: endpoint.params as z.ZodObject }),
      ...(endpoint.query && { query: endpoint.query as z.ZodObject }),
      ...(endpoint.idempotent && { header: z.object({ 'Idempotency-Key': z.string() }) }),
    },
    ...requestBodyOf(endpoint, examples?.body),
    responses: { '200': replyOf(endpoint, examples?.reply), ...Object.fromEntries(failures) },
  }
}

/** The shop's own calls, for its apps and whoever works on them. */
const OF_SHOP: DocumentStyle = {
  info: { title: 'Game top-up shop', version: '1.0.0' },
  bearer: { bearerFormat: 'Firebase ID token' },
  security: [{}, { bearer: [] }],
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string().optional(),
  }),
  statusOf: errorStatus,
  describe: ({ path, allow, idempotent, forOthers }) => ({
    tags: [path.split('/')[1]!],
    description: `Permission: \`${allow}\`.${idempotent ? ' Needs an `Idempotency-Key` header.' : ''}${forOthers ? ' No app of the shop calls it; it is there for other clients.' : ''}`,
  }),
}

/** Builds the OpenAPI 3.1 document of a list of endpoints. */
export function openApiDocument(
  endpoints: readonly EndpointShape[],
  style: DocumentStyle = OF_SHOP,
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, style) }
  }
  const { info, servers, tags, security, webhooks, bearer } = style
  return createDocument(
    {
      openapi: '3.1.0',
      info,
      ...(servers && { servers }),
      ...(tags && { tags }),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', ...bearer } } },
      security,
      paths,
      ...(webhooks && { webhooks }),
    },
    {
      // Answers get more fields in time: a client must not refuse those that it does not know.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    },
  )
}
