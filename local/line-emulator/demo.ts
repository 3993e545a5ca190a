import type { Seed } from './state.ts'

/** Fixed ids of the demo world, so that the shop's configuration and the emulator name the same things. */
export const demoLine = {
  loginChannel: { id: '2000000001', secret: '0123456789abcdef0123456789abcdef' },
  messagingChannel: {
    id: '2000000002',
    secret: 'fedcba9876543210fedcba9876543210',
    accessToken: 'demo-long-lived-channel-access-token',
  },
  liffId: '2000000001-DemoShop',
  officialAccount: { userId: 'U0a0000000000000000000000000000a0', basicId: '@kraam', displayName: 'คราม เติมเกม' },
  users: {
    friend: { userId: 'U1c000000000000000000000000000001', displayName: 'น้ำข้าว' },
    stranger: { userId: 'U1c000000000000000000000000000002', displayName: 'ต้นกล้า' },
    staff: { userId: 'U5f000000000000000000000000000001', displayName: 'พลอย (ทีมงาน)' },
    /** LINE has the address of an account that the shop knows from elsewhere. */
    known: { userId: 'U1c000000000000000000000000000003', displayName: 'ใบชา', email: 'customer@demo.shop' },
  },
  staffGroup: { groupId: 'C5f000000000000000000000000000001', groupName: 'ทีมเติมเกม' },
} as const

/** Where the shop's pages and its API listen; the local stack's usual ports unless told otherwise. */
export interface ShopAddress {
  shopUrl?: string
  apiUrl?: string
}

/** The demo world: a friend, a stranger, a staff member and the staff group, one provider, one LIFF app. */
export function createDemoSeed(address: ShopAddress = {}): Seed {
  const { shopUrl = 'http://localhost:5173', apiUrl = 'http://localhost:8787' } = address
  const { friend, stranger, staff, known } = demoLine.users
  return {
    loginChannel: {
      ...demoLine.loginChannel,
      name: demoLine.officialAccount.displayName,
      callbackUrls: [new URL('/login/line', shopUrl).href, new URL('/login', shopUrl).href],
    },
    messagingChannel: { ...demoLine.messagingChannel },
    officialAccount: { ...demoLine.officialAccount },
    liffApp: {
      liffId: demoLine.liffId,
      endpointUrl: new URL('/', shopUrl).href,
      scope: ['openid', 'profile', 'email', 'chat_message.write'],
      botPrompt: 'normal',
    },
    webhookUrl: new URL('/line/webhook', apiUrl).href,
    webhookDelivery: { timeoutSeconds: 2, redeliveries: 3, redeliveryDelaySeconds: 10 },
    users: [
      { ...friend, friendship: 'friend', language: 'th' },
      { ...stranger, friendship: 'none', language: 'th' },
      { ...staff, friendship: 'friend', language: 'th' },
      { ...known, friendship: 'none', language: 'th' },
    ],
    groups: [{ ...demoLine.staffGroup, memberIds: [staff.userId], botJoined: true }],
    quota: { type: 'limited', value: 300 },
  }
}
