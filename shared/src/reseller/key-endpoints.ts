import * as z from 'zod'
import { PIN_ERRORS } from '../account/pin-endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { instant, paging, satang } from '../wire.ts'
import { newKey } from './fields.ts'
import { KEY_ENDS, KEY_MODES, KEY_SCOPES } from './reseller.ts'

/** The public part of a key. */
const id = z.string().regex(/^rk_(live|test)_[A-Za-z0-9]{16}$/)
const uid = z.string().min(1).max(128)

/** What was done with a key in some time. */
const use = z.object({
  calls: z.int(),
  /** Calls that were refused or failed, among them. */
  errors: z.int(),
  orders: z.int(),
  /** What its orders cost; money that came back is not taken off. Of a test key it is play money. */
  spentSatang: satang,
})

const resellerKey = z.object({
  id,
  name: z.string(),
  mode: z.enum(KEY_MODES),
  scopes: z.array(z.enum(KEY_SCOPES)),
  addresses: z.array(z.string()),
  dailyLimitSatang: satang.nullable(),
  createdAt: instant,
  /** When and why it ended; null while it works. */
  endedAt: instant.nullable(),
  endedFor: z.enum(KEY_ENDS).nullable(),
  /** When and from where it was last used, to within a minute; null while it never was. */
  lastUsedAt: instant.nullable(),
  lastUsedFrom: z.string().nullable(),
  today: use,
  /** The last 30 Bangkok days with today. */
  month: use,
})
export type ResellerKeyView = z.output<typeof resellerKey>

export const listKeys = endpoint({
  method: 'GET',
  path: '/romons.reseller/api/keys',
  summary: "The caller's own API keys, those that work first; ended ones of the last 90 days",
  allow: 'reseller.keys',
  reply: z.object({ keys: z.array(resellerKey), nowDate: instant }),
})

export const makeKey = endpoint({
  method: 'POST',
  path: '/romons.reseller/api/keys',
  summary: 'Makes an API key; its secret is in this answer only',
  allow: 'reseller.keys',
  body: newKey,
  reply: z.object({
    key: resellerKey,
    /** What a program sends as the bearer token: the id, a full stop and the secret. */
    token: z.string(),
  }),
  errors: ['PIN_WRONG', ...PIN_ERRORS, 'RATE_LIMITED', 'KEY_TOO_MANY', 'KEY_ADDRESS_INVALID', 'WALLET_NOT_FOUND'],
})

const call = z.object({
  id: z.uuid(),
  at: instant,
  keyName: z.string(),
  /** The call's name in the API's document: "createOrder". */
  call: z.string(),
  status: z.int(),
  /** The code of its error; null for what went well. */
  code: z.string().nullable(),
  /** What the caller named the order by, or the order's number; null for a call that was about none. */
  ref: z.string().nullable(),
  address: z.string(),
})
export type CallView = z.output<typeof call>

export const listCalls = endpoint({
  method: 'GET',
  path: '/romons.reseller/api/calls',
  summary:
    "What the caller's own machines called in the last 7 days, newest first; of very many in a moment, the first",
  allow: 'reseller.keys',
  query: z.object({
    mode: z.enum(KEY_MODES),
    /** Only those that were refused or failed. */
    isFailed: z.literal('true').optional(),
    /** The last call of the page before. */
    after: z.uuid().optional(),
  }),
  reply: z.object({ calls: z.array(call), hasMore: z.boolean(), nowDate: instant }),
})

export const endKey = endpoint({
  method: 'POST',
  path: '/romons.reseller/api/keys/:id/end',
  summary: "Ends one of the caller's own API keys at once",
  allow: 'reseller.keys',
  params: z.object({ id }),
  reply: resellerKey,
  errors: ['NOT_FOUND'],
})

/** The state of where an agent is told about events, for staff. */
const told = z.object({
  id: z.uuid(),
  mode: z.enum(KEY_MODES),
  url: z.string(),
  isOn: z.boolean(),
  /** Nothing arrives there, or it was switched off for that. */
  isFailing: z.boolean(),
  /** Since when nothing arrives there; null while it does. */
  failingSince: instant.nullable(),
  /** What went wrong last, of one that fails. */
  lastError: z.string().nullable(),
  /** What waits to be sent. */
  waiting: z.int(),
})
export type ToldEndpoint = z.output<typeof told>

export const getAgentApi = endpoint({
  method: 'GET',
  path: '/romons.reseller/api/agents/:uid',
  summary: "One agent's API keys with their use, and where the agent is told about events",
  allow: 'agent.manage',
  params: z.object({ uid }),
  reply: z.object({ keys: z.array(resellerKey), webhooks: z.array(told), nowDate: instant }),
})
export type AgentApi = z.output<typeof getAgentApi.reply>

export const endAgentKey = endpoint({
  method: 'POST',
  path: '/romons.reseller/api/agents/:uid/keys/:id/end',
  summary: "Ends an agent's API key at once; the agent is told",
  allow: 'agent.manage',
  params: z.object({ uid, id }),
  body: z.object({ reason: typed().min(1).max(500) }),
  reply: resellerKey,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
})

export const listAgentApis = endpoint({
  method: 'GET',
  path: '/romons.reseller/api/agents',
  summary: 'Agents with API keys: calls, errors and spending of the last 30 days, and whose webhooks fail',
  allow: 'agent.manage',
  query: z.object({
    /** A part of the agent's name, or the whole id of a key. */
    name: typed().max(100).optional(),
    /** Only those whose webhooks fail or were switched off for that. */
    isFailing: z.literal('true').optional(),
    ...paging,
  }),
  reply: z.object({
    rows: z.array(
      z.object({
        uid,
        name: z.string(),
        /** Live keys that work. */
        keys: z.int(),
        /** What was done with all live keys, and when one was last used. */
        today: use,
        month: use,
        lastUsedAt: instant.nullable(),
        /** Endpoints that fail or were switched off for that, of all. */
        failingWebhooks: z.int(),
        webhooks: z.int(),
      }),
    ),
    total: z.int(),
    nowDate: instant,
  }),
})
export type ListedAgentApi = z.output<typeof listAgentApis.reply>['rows'][number]
