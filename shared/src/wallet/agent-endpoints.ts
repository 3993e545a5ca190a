import * as z from 'zod'
import { agent } from '../agent/endpoints.ts'
import { endpoint } from '../endpoint.ts'
import { instant, month, satang } from '../wire.ts'
import { getStatement } from './endpoints.ts'

const uid = z.string().min(1).max(128)

/** One thing that the shop did about an agent, and who did it. */
const done = z.object({ at: instant, byName: z.string().nullable() })

export const getAgent = endpoint({
  method: 'GET',
  path: '/romons.agent/api/agents/:uid',
  summary: 'One agent: balance and limits, this month on the wallet, the last order, and what the shop set for them',
  allow: 'agent.manage',
  params: z.object({ uid }),
  reply: z.object({
    agent,
    createdAt: instant,
    /** null without a wallet. */
    wallet: z
      .object({
        maxAmountSatang: satang,
        minTopUpSatang: satang,
        maxAmountPerOrderSatang: satang,
        maxItemPerOrder: z.int(),
        /** The amount that can still be topped up. */
        roomSatang: satang,
        /** Top-ups that wait for approval. */
        waiting: z.int(),
        waitingSatang: satang,
        /** Approved top-ups that were entered in this Bangkok month. */
        monthTopUpSatang: satang,
        /** Purchases of this Bangkok month, and what they cost without what went back. */
        monthOrders: z.int(),
        monthSpentSatang: satang,
      })
      .nullable(),
    lastOrder: z
      .object({
        orderNo: z.string(),
        /** The game and the package. */
        title: z.string(),
        /** An order status. */
        status: z.string(),
        amountSatang: satang,
        createdAt: instant,
      })
      .nullable(),
    /** The tiers that the agent was given, newest first. */
    tiers: z.array(done.extend({ tierName: z.string() })),
    /** When the shop set another PIN, newest first. */
    pinResets: z.array(done),
    nowDate: instant,
  }),
  errors: ['NOT_FOUND'],
})
export type AgentDetails = z.output<typeof getAgent.reply>

const statementParams = z.object({ uid, month })

export const getAgentStatement = endpoint({
  method: 'GET',
  path: '/romons.agent/api/agents/:uid/statement/:month',
  summary: "What moved on an agent's wallet in a Bangkok month, oldest first",
  allow: 'agent.manage',
  params: statementParams,
  reply: getStatement.reply,
  errors: ['NOT_FOUND', 'WALLET_NOT_FOUND'],
})

export const exportAgentStatement = endpoint({
  method: 'GET',
  path: '/romons.agent/api/agents/:uid/statement/:month/export',
  summary: 'The same statement as CSV',
  allow: 'agent.manage',
  params: statementParams,
  reply: z.any(),
  replyKind: 'csv',
  errors: ['NOT_FOUND', 'WALLET_NOT_FOUND'],
})
