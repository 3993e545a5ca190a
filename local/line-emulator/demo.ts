import type { Seed } from './state.ts'

/** The demo's ids and secrets in LINE. They are fixed, so that the shop's configuration and the emulator agree. */
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
    manager: { userId: 'U5f000000000000000000000000000002', displayName: 'วิภา (ผู้จัดการ)' },
    payer: { userId: 'U1c000000000000000000000000000004', displayName: 'ฟ้าใส' },
    /** Has the e-mail address of a customer whose account in the demo shop is not from LINE. */
    known: { userId: 'U1c000000000000000000000000000003', displayName: 'ใบชา', email: 'customer@demo.shop' },
  },
  staffGroup: { groupId: 'C5f000000000000000000000000000001', groupName: 'ทีมเติมเกม' },
  managersGroup: { groupId: 'C5f000000000000000000000000000002', groupName: 'ผู้จัดการร้าน' },
} as const

/** Where the shop's pages and its API listen. Without them these are the local stack's default ports. */
export interface ShopAddress {
  shopUrl?: string
  apiUrl?: string
}

/** Describes the demo in LINE: the shop's account and LIFF app, some people, and the staff group. */
export function createDemoSeed(address: ShopAddress = {}): Seed {
  const { shopUrl = 'http://localhost:5173', apiUrl = 'http://localhost:8787' } = address
  const { friend, stranger, staff, manager, payer, known } = demoLine.users
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
      { ...manager, friendship: 'friend', language: 'th' },
      { ...payer, friendship: 'none', language: 'th' },
      { ...known, friendship: 'none', language: 'th' },
    ],
    groups: [
      { ...demoLine.staffGroup, memberIds: [staff.userId], botJoined: true },
      { ...demoLine.managersGroup, memberIds: [manager.userId], botJoined: true },
    ],
    quota: { type: 'limited', value: 300 },
  }
}
