import * as z from 'zod'
import { MOST_PRICE_SATANG } from '../catalogue/price-editing.ts'
import { MOST_BASIS_POINTS, ROUNDINGS, type RuleTarget } from '../catalogue/price-rule.ts'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { SUPPLIER_NAMES } from '../provider-names.ts'
import { rowId as id, many, page as pageOf, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { CURRENCIES, RATE_TEXT } from './currency.ts'
import { PRODUCT_CHANGES } from './product-change.ts'

/** What suppliers' products cost the shop, and the prices that follow. */

const packageName = z.object({ id, gameId: id, gameName: z.string(), name: z.string() })

const productChange = z.object({
  id: z.uuid(),
  supplier: z.string(),
  sku: z.string(),
  name: z.string(),
  kind: z.enum(PRODUCT_CHANGES),
  /** As the supplier writes them, in the currency; null where there was or is no product. */
  fromPrice: z.string().nullable(),
  toPrice: z.string().nullable(),
  currency: z.string(),
  fromSatang: satang.nullable(),
  toSatang: satang.nullable(),
  at: time,
  /** The packages that take their goods from it. */
  packages: z.array(packageName),
})
export type ProductChangeView = z.output<typeof productChange>

export const listProductChanges = endpoint({
  method: 'GET',
  path: '/romons.cost/api/changes',
  summary: 'What has changed in the lists of suppliers, newest first',
  allow: 'supplier.manage',
  query: z.object({
    supplier: z.enum(SUPPLIER_NAMES).optional(),
    kind: many(z.enum(PRODUCT_CHANGES)),
    /** Part of a product's name, or its whole number at the supplier. */
    product: line(100).optional(),
    /** Only products that packages take their goods from. */
    used: z.stringbool().optional(),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    ...paging,
  }),
  reply: pageOf(productChange),
})

const rate = z.object({
  currency: z.enum(CURRENCIES),
  /** Baht for one unit, as an exact decimal; null while nobody has told it. */
  baht: z.string().nullable(),
  /** Whether the bank told it. */
  isFromBank: z.boolean(),
  /** Who typed it. */
  byName: z.string().nullable(),
  at: time.nullable(),
  isOld: z.boolean(),
  /** Whether products are billed in it. */
  isUsed: z.boolean(),
})
export type RateView = z.output<typeof rate>

export const getCosts = endpoint({
  method: 'GET',
  path: '/romons.cost/api/state',
  summary: 'How fresh the lists of suppliers and the rates of exchange are, and which packages stopped for their cost',
  allow: 'supplier.manage',
  reply: z.object({
    lists: z.array(
      z.object({
        supplier: z.string(),
        /** When the whole list was last read; null if never. */
        readAt: time.nullable(),
        /** When it could not be read since; null when it could. */
        failedAt: time.nullable(),
        /** Since when it lacks most products, which is believed when it is seen again. */
        doubtedAt: time.nullable(),
        products: z.int(),
      }),
    ),
    rates: z.array(rate),
    /** Whether the bank is asked for rates every day. */
    isBankAsked: z.boolean(),
    /** Packages that are not sold because their cost has passed their price. */
    stopped: z.array(packageName),
    /** Packages that are sold out because their supplier asks more than their cost, which is the most that is paid. */
    tooDear: z.array(packageName.extend({ costSatang: satang, toldSatang: satang })),
    /** Packages whose supplier's cost fell so far that a person must decide about it. */
    doubted: z.array(packageName.extend({ costSatang: satang, toldSatang: satang })),
  }),
})

export const saveRate = endpoint({
  method: 'POST',
  path: '/romons.cost/api/rates/save',
  summary:
    'Sets what a unit of a currency costs, until the bank tells a later rate; a lower one takes a second manager',
  allow: 'supplier.manage',
  secondWord: 'runs',
  body: z.object({
    currency: z.enum(CURRENCIES),
    baht: z.string().regex(RATE_TEXT, 'กรุณากรอกจำนวนบาทต่อหนึ่งหน่วย เช่น 34.62'),
    /** The rate that the edit is based on; null for none. */
    seen: z.string().nullable(),
  }),
  reply: rate,
  errors: ['CONFLICT', 'SECOND_WORD_NEEDED'],
})

const target = z.string().regex(/^(bank|wallet|tier:[1-9]\d{0,8})$/) as unknown as z.ZodType<RuleTarget, string>
const rule = z.object({
  target,
  /** How much is added to the cost, in hundredths of a per cent. */
  basisPoints: z.int().min(0).max(MOST_BASIS_POINTS),
  fixedSatang: satang.min(0).max(MOST_PRICE_SATANG),
  /** The least that one piece earns. */
  leastSatang: satang.min(0).max(MOST_PRICE_SATANG),
  rounding: z.enum(ROUNDINGS),
})
const rules = z
  .array(rule)
  .max(50)
  .refine(list => new Set(list.map(each => each.target)).size === list.length, 'each once')

export const getPriceRules = endpoint({
  method: 'GET',
  path: '/romons.cost/api/rules/:gameId',
  summary: "The rules that a game's prices follow",
  allow: 'catalogue.manage',
  params: z.object({ gameId: rowIdParam }),
  reply: z.object({
    gameName: z.string(),
    rules,
    tiers: z.array(z.object({ id, name: z.string() })),
    /** The packages that take their goods from a supplier, and those of them whose cost follows it. */
    supplied: z.int(),
    following: z.int(),
  }),
  errors: ['GAME_NOT_FOUND'],
})

export const changePriceRules = endpoint({
  method: 'POST',
  path: '/romons.cost/api/rules/save',
  summary: "Saves a game's rules and, if wanted, applies them; first without a mark, to see what would be",
  allow: 'catalogue.manage',
  secondWord: 'runs',
  body: z.object({
    gameId: id,
    rules,
    /** Whether the costs of its packages follow their suppliers; missing leaves each as it is. */
    followsCost: z.boolean().optional(),
    /** Whether prices change at once, and not only when a cost changes. */
    applies: z.boolean(),
    /** The mark of the preview that was confirmed; without it nothing is written. */
    mark: z.string().max(100).optional(),
  }),
  reply: z.object({
    mark: z.string(),
    /** The number of packages whose prices change. */
    changed: z.int(),
    /** Of those, the packages whose loss a second person must agree to. */
    needsSecond: z.int(),
    rows: z.array(
      z.object({
        id,
        name: z.string(),
        costSatang: satang.nullable(),
        cells: z.array(z.object({ target, beforeSatang: satang, afterSatang: satang })),
        /** Why the rules leave it as it is. */
        problem: z.string().nullable(),
        needsSecond: z.boolean(),
      }),
    ),
  }),
  /** CONFLICT: the preview has changed since. */
  errors: ['GAME_NOT_FOUND', 'TIER_NOT_FOUND', 'CONFLICT', 'PRICE_BELOW_DISCOUNT', 'SECOND_WORD_NEEDED'],
})
