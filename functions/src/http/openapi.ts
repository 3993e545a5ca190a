import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { errorStatus } from '@shop/shared/errors.ts'
import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { errorsOf } from './endpoint-errors.ts'

const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string().optional(),
})

function operationOf(endpoint: EndpointShape): ZodOpenApiOperationObject {
  const byStatus = Map.groupBy(errorsOf(endpoint), errorStatus)
  const failures = [...byStatus].map(([status, group]) => [
    String(status),
    { description: [...group].join(', '), content: { 'application/json': { schema: errorBody } } },
  ])
  const wrapped = <T extends z.ZodType>(schema: T, name: string) =>
    endpoint.callable ? z.object({ [name]: schema }) : schema
  const file = z.object({ file: z.string().meta({ format: 'binary' }) })
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1]!],
    description: `Permission: \`${endpoint.allow}\`.${endpoint.idempotent ? ' Needs an `Idempotency-Key` header.' : ''}${endpoint.forOthers ? ' No app of the shop calls it; it is there for other clients.' : ''}`,
    requestParams: {
      ...(endpoint.params && { path: endpoint.params as z.ZodObject }),
      ...(endpoint.query && { query: endpoint.query as z.ZodObject }),
      ...(endpoint.idempotent && { header: z.object({ 'Idempotency-Key': z.string() }) }),
    },
    ...(endpoint.body && {
      requestBody: { content: { 'application/json': { schema: wrapped(endpoint.body, 'data') } } },
    }),
    ...(endpoint.bodyKind === 'file' && { requestBody: { content: { 'multipart/form-data': { schema: file } } } }),
    responses: {
      '200': {
        description: 'OK',
        content: endpoint.replyKind
          ? { [endpoint.replyKind === 'csv' ? 'text/csv' : 'application/octet-stream']: {} }
          : { 'application/json': { schema: wrapped(endpoint.reply, 'result') } },
      },
      ...Object.fromEntries(failures),
    },
  }
}

/** Builds the OpenAPI 3.1 document of a list of endpoints. */
export function openApiDocument(endpoints: readonly EndpointShape[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Game top-up shop', version: '1.0.0' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'Firebase ID token' } } },
    security: [{}, { bearer: [] }],
    paths,
  })
}
