import * as z from 'zod'
import { password } from '../account/fields.ts'
import { endpoint } from '../endpoint.ts'
import { line, typed, typedMail } from '../line.ts'
import { ROLES } from '../permissions.ts'
import { instant, many, paging, rowId, rowIdParam, satang } from '../wire.ts'
import { MAX_DISCOUNT_SATANG } from './agent.ts'

const uid = z.string().min(1).max(128)
const text = line(100)
const limitSatang = z.int().min(0).max(1_000_000_000)

export const agent = z.object({
  uid,
  /** The agent's display name; `firstName` and `lastName` are the person's. */
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  /** false when nobody has proven yet that the address is theirs. */
  emailVerified: z.boolean(),
  /** Local form, "0812345678"; empty without one. */
  tel: z.string(),
  role: z.enum(ROLES),
  /** null until the agent gets a tier, and with it a wallet. */
  tier: z.object({ id: rowId, name: z.string() }).nullable(),
  walletId: z.uuid().nullable(),
  balanceSatang: satang,
  bankCode: z.string().nullable(),
  bankAccount: z.string().nullable(),
  /** true active, false inactive, null pending. */
  isActived: z.boolean().nullable(),
  /** Whether the caller may edit this agent. */
  canEdit: z.boolean(),
})
export type Agent = z.output<typeof agent>

export const listAgents = endpoint({
  method: 'GET',
  path: '/romons.agent/api/agents',
  summary: 'Agents and everybody else with a wallet, by name and tier',
  allow: 'agent.manage',
  query: z.object({ name: text.optional(), tier: many(rowIdParam), ...paging }),
  reply: z.object({
    rows: z.array(
      agent.extend({
        /** What was spent from the wallet in the last 30 days, without what went back. */
        spentSatang: satang,
        lastOrderAt: instant.nullable(),
      }),
    ),
    total: z.int(),
  }),
})
export type ListedAgent = z.output<typeof listAgents.reply>['rows'][number]

const tier = z.object({
  id: rowId,
  name: z.string(),
  description: z.string(),
  maxAmountSatang: satang,
  minTopUpSatang: satang,
  maxAmountPerOrderSatang: satang,
  maxItemPerOrder: z.int(),
  agentCount: z.int(),
  isActived: z.boolean(),
})
export type Tier = z.output<typeof tier>

export const listTiers = endpoint({
  method: 'GET',
  path: '/romons.agent/api/tiers',
  summary: 'Agent tiers with how many people each has',
  allow: 'agent.manage',
  reply: z.array(tier),
})

export const saveTier = endpoint({
  method: 'POST',
  path: '/romons.agent/api/tiers/save',
  summary: 'Adds a tier, or changes one: its new limits hold at once',
  allow: 'agent.manage',
  secondWord: 'runs',
  body: z.object({
    /** The tier to change; without it a new one is added. */
    id: rowId.optional(),
    name: text.min(1),
    description: typed().max(500).default(''),
    maxAmountSatang: limitSatang,
    minTopUpSatang: limitSatang,
    maxAmountPerOrderSatang: limitSatang,
    maxItemPerOrder: z.int().min(0).max(1000),
    isActived: z.boolean(),
  }),
  reply: tier,
  errors: ['TIER_NOT_FOUND', 'FORBIDDEN', 'SECOND_WORD_NEEDED'],
})

export const mapTier = endpoint({
  method: 'POST',
  path: '/romons.agent/api/agents/maptier',
  summary: 'Gives a person a tier, and with the first one a wallet; a customer with a proven address becomes an agent',
  allow: 'agent.manage',
  secondWord: 'repeats',
  body: z.object({ uid, tierId: rowId, isActived: z.boolean() }),
  reply: z.object({
    agent,
    /** The first PIN, shown only once; null when the person already had one. */
    pin: z.string().nullable(),
  }),
  errors: ['NOT_FOUND', 'TIER_NOT_FOUND', 'FORBIDDEN', 'EMAIL_UNPROVEN', 'SECOND_WORD_NEEDED'],
})

export const searchUsersForTier = endpoint({
  method: 'GET',
  path: '/romons.agent/api/users',
  summary: 'People the caller may map to a tier, by part of their name or email; at most 20',
  allow: 'agent.manage',
  query: z.object({ name: text.optional() }),
  reply: z.array(
    z.object({
      uid,
      name: z.string(),
      surname: z.string(),
      email: z.string().nullable(),
      emailVerified: z.boolean(),
      role: z.enum(ROLES),
      tierId: rowId.nullable(),
    }),
  ),
})

export const setAgentStatus = endpoint({
  method: 'POST',
  path: '/romons.agent/api/agents/status',
  summary: 'Activates or deactivates an agent; a deactivated one is signed out everywhere',
  allow: 'agent.manage',
  body: z.object({ uid, isActived: z.boolean() }),
  reply: agent,
  errors: ['NOT_FOUND', 'AGENT_NOT_FOUND', 'FORBIDDEN'],
})

const profile = {
  name: text.min(1),
  firstName: text.min(1),
  lastName: text.min(1),
  /** Local or +66 form. */
  tel: typed().min(1).max(20),
  /** Code of a Thai bank, e.g. "004". */
  bankCode: z.string().regex(/^\d{3}$/, 'กรุณาเลือกธนาคาร'),
  bankAccount: typed().regex(/^[\d-]{6,20}$/, 'เลขที่บัญชีต้องเป็นตัวเลข 6–20 หลัก'),
  isActived: z.boolean(),
}

export const createAgentUser = endpoint({
  method: 'POST',
  path: '/createAgentUser',
  summary: 'Creates an agent who must change password and PIN at the first sign-in',
  allow: 'agent.manage',
  callable: true,
  body: z.object({
    ...profile,
    email: typedMail(),
    /** Without it a random password is generated. */
    password: password.optional(),
    /** When given, the agent gets a wallet at once. */
    tierId: rowId.optional(),
  }),
  reply: z.object({
    agent,
    /** Password and PIN are shown only once. */
    password: z.string(),
    pin: z.string(),
  }),
  errors: ['EMAIL_IN_USE', 'PHONE_INVALID', 'TIER_NOT_FOUND', 'WEAK_PASSWORD'],
})

export const updateAgentUser = endpoint({
  method: 'POST',
  path: '/updateAgentUser',
  summary: "Changes an agent's details; the email stays",
  allow: 'agent.manage',
  callable: true,
  body: z.object({ uid, ...profile }),
  reply: agent,
  errors: ['NOT_FOUND', 'AGENT_NOT_FOUND', 'PHONE_INVALID', 'FORBIDDEN'],
})

const benefitDetail = z.object({
  /** The tier this discount is for. */
  tierId: rowId,
  discountSatang: z.int().min(0).max(MAX_DISCOUNT_SATANG),
  isActived: z.boolean(),
})

export const listBenefits = endpoint({
  method: 'GET',
  path: '/romons.agent/api/benefits',
  summary: 'Every package sold from the wallet with the discount of each tier',
  allow: 'agent.manage',
  query: z.object({ game: many(rowIdParam), package: text.optional(), ...paging }),
  reply: z.object({
    /** The columns, active tiers only. */
    tiers: z.array(z.object({ id: rowId, name: z.string() })),
    rows: z.array(
      z.object({
        packageId: rowId,
        package: z.string(),
        gameId: rowId,
        game: z.string(),
        /** Wallet price before any discount. */
        priceSatang: satang,
        /** The shop's cost of one piece; null when unknown. */
        costSatang: satang.nullable(),
        /** One entry per tier, in the order of `tiers`; 0 and inactive when no discount was set. */
        details: z.array(benefitDetail),
      }),
    ),
    total: z.int(),
  }),
})
export type BenefitRow = z.output<typeof listBenefits.reply>['rows'][number]

export const saveBenefits = endpoint({
  method: 'POST',
  path: '/romons.agent/api/benefits/save',
  summary: 'Saves changed discounts; all of them or none',
  allow: 'agent.manage',
  secondWord: 'runs',
  body: z.object({
    rows: z
      .array(z.object({ packageId: rowId, details: z.array(benefitDetail).min(1).max(50) }))
      .min(1)
      .max(100),
    /** Confirms that packages may cost nothing. */
    allowsFree: z.boolean().default(false),
  }),
  reply: z.object({ saved: z.int() }),
  /** DISCOUNT_ABOVE_PRICE and DISCOUNT_MAKES_FREE carry `details.cells`: [{ packageId, tierId }]. */
  errors: ['PACKAGE_NOT_FOUND', 'TIER_NOT_FOUND', 'DISCOUNT_ABOVE_PRICE', 'DISCOUNT_MAKES_FREE', 'SECOND_WORD_NEEDED'],
})
