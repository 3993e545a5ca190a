import type { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'

type V1Endpoint = (typeof V1_ENDPOINTS)[number]
type V1Call = { [E in V1Endpoint as `${E['method']} ${E['path']}`]: E }

/** The groups of the reference, in its order. */
export const TAGS = {
  Catalogue: 'What you can buy, and for whom',
  Wallet: 'The money that orders are paid from',
  Orders: 'Placing, following and canceling',
  Codes: 'What was bought as codes',
} as const satisfies Record<string, string>

interface Operation {
  /** The name that generated clients give the call. It is public: it never changes. */
  id: string
  tag: keyof typeof TAGS
  examples: { body?: object; reply: object }
}

const ORDER = {
  id: 'TEST-KT2611-04821937',
  ref: 'INV-1042',
  mode: 'test',
  status: 'waiting',
  game: 'test',
  packageId: 2_000_000_001,
  packageName: 'Succeeds',
  playerId: '5123456789',
  playerName: 'Tester 5123456789',
  quantity: 1,
  delivered: 0,
  price: 10_000,
  refunded: 0,
  codes: 0,
  reason: null,
  createdAt: '2026-11-20T05:00:00.000Z',
  endedAt: null,
} as const
const COMPLETED = { ...ORDER, status: 'completed', delivered: 1, endedAt: '2026-11-20T05:00:03.000Z' } as const

const PACKAGE = {
  id: 2_000_000_001,
  game: 'test',
  name: 'Succeeds',
  description: 'Is completed after three seconds',
  delivers: 'top_up',
  price: 10_000,
  isAvailable: true,
  stock: null,
  warning: '',
} as const

/** What the document has of each call beside the contract. */
const OPERATION = {
  'GET /reseller/v1/games': {
    id: 'listGames',
    tag: 'Catalogue',
    examples: {
      reply: {
        games: [
          {
            code: 'pubg-mobile',
            name: 'PUBG Mobile',
            picture: 'https://shop.example/files/games/pubg.png',
            fields: [{ name: 'playerId', label: 'Player ID', format: { kind: 'digits', min: 8, max: 12 } }],
            checksPlayer: true,
            usualMinutes: { from: 1, to: 5 },
          },
        ],
      },
    },
  },
  'GET /reseller/v1/packages': {
    id: 'listPackages',
    tag: 'Catalogue',
    examples: { reply: { packages: [PACKAGE] } },
  },
  'POST /reseller/v1/players/check': {
    id: 'checkPlayer',
    tag: 'Catalogue',
    examples: {
      body: { game: 'test', playerId: '5123456789' },
      reply: { isChecked: true, playerName: 'Tester 5123456789' },
    },
  },
  'GET /reseller/v1/wallet': {
    id: 'getWallet',
    tag: 'Wallet',
    examples: {
      reply: {
        balance: 990_000,
        currency: 'THB',
        maxPerOrder: 1_000_000,
        maxQuantity: 100,
        key: { id: 'rk_test_Ab3dE5fG7hJ9kL2m', mode: 'test', dailyLimit: null, spentToday: 10_000 },
      },
    },
  },
  'GET /reseller/v1/wallet/entries': {
    id: 'listWalletEntries',
    tag: 'Wallet',
    examples: {
      reply: {
        entries: [
          {
            id: '019aa0a4-52a0-7c3e-8d4f-5a6b7c8d9e0f',
            at: '2026-11-20T05:00:00.000Z',
            kind: 'order',
            amount: -10_000,
            balance: 990_000,
            orderId: ORDER.id,
            ref: ORDER.ref,
          },
        ],
        nextCursor: null,
      },
    },
  },
  'POST /reseller/v1/orders': {
    id: 'createOrder',
    tag: 'Orders',
    examples: {
      body: { ref: ORDER.ref, packageId: ORDER.packageId, playerId: ORDER.playerId, quantity: 1, maxPrice: 10_000 },
      reply: ORDER,
    },
  },
  'GET /reseller/v1/orders': {
    id: 'listOrders',
    tag: 'Orders',
    examples: { reply: { orders: [COMPLETED], nextCursor: null } },
  },
  'GET /reseller/v1/orders/by-ref/:ref': { id: 'getOrderByRef', tag: 'Orders', examples: { reply: COMPLETED } },
  'GET /reseller/v1/orders/:id': { id: 'getOrder', tag: 'Orders', examples: { reply: COMPLETED } },
  'POST /reseller/v1/orders/:id/cancel': {
    id: 'cancelOrder',
    tag: 'Orders',
    examples: {
      reply: {
        ...ORDER,
        status: 'canceled',
        refunded: ORDER.price,
        reason: { code: 'canceled', message: 'ยกเลิกโดยผู้สั่งซื้อ คืนเงินเข้ากระเป๋าแล้ว' },
        endedAt: '2026-11-20T05:00:04.000Z',
      },
    },
  },
  'GET /reseller/v1/orders/:id/codes': {
    id: 'getCodes',
    tag: 'Codes',
    examples: {
      reply: {
        codes: [{ code: 'TEST-5A6B7C8D9E0F-001', pin: null, serial: null, expiresOn: null, region: '' }],
        redeemHelp: 'Made up: nobody takes these codes',
      },
    },
  },
} as const satisfies Record<keyof V1Call, Operation>

/** Returns what the document has of a call. */
export const operationOf = ({ method, path }: { method: string; path: string }): Operation =>
  (OPERATION as Record<string, Operation>)[`${method} ${path}`]!
