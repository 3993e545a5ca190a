import type { Agent } from '@shop/shared/agent/endpoints.ts'

/** An agent without tier and wallet. */
export const agent: Agent = {
  uid: 'u-agent',
  name: 'ร้านเกมบ้านสวน',
  firstName: 'สมชาย',
  lastName: 'ใจดี',
  email: 'suan@demo.shop',
  emailVerified: true,
  tel: '0812345678',
  role: 'agent',
  tier: null,
  walletId: null,
  balanceSatang: 0,
  bankCode: '004',
  bankAccount: '1234567890',
  isActived: true,
  canEdit: true,
}
