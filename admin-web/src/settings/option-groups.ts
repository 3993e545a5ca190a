import type { OptionName } from '@shop/shared/settings/option.ts'
import { keysOf } from '@shop/shared/table.ts'

/** The groups in which options are set, in their order: first what closes the shop. */
export const OPTION_GROUPS = {
  hours: 'เปิด–ปิดร้าน',
  buying: 'การสั่งซื้อและชำระเงิน',
  line: 'LINE และทีมงาน',
  contact: 'ร้านและการติดต่อ',
  safety: 'ความปลอดภัยของเงิน',
} as const
export type OptionGroup = keyof typeof OPTION_GROUPS

/** The group of each option; within a group they stand in this order. */
const GROUP_OF = {
  OPENING_HOURS: 'hours',
  PAYMENT_TIME_LIMIT: 'buying',
  ALLOW_GUEST_CHECKOUT: 'buying',
  GUEST_ORDERS_PER_ADDRESS_AND_HOUR: 'buying',
  CHECK_MIDASBUY: 'buying',
  SHOP_CREDIT: 'buying',
  CREDIT_PIN_ABOVE: 'buying',
  LINE_OA_ID: 'line',
  STAFF_HOURS: 'line',
  STAFF_DIGEST_MINUTES: 'line',
  COMPANY_NAME: 'contact',
  COMPANY_ADDRESS: 'contact',
  CONTACT_PHONE: 'contact',
  CONTACT_EMAIL: 'contact',
  TWO_PERSON_APPROVAL_AMOUNT: 'safety',
  REQUIRE_ADMIN_TOTP: 'safety',
  CURRENCY_MARGIN: 'safety',
} as const satisfies Record<OptionName, OptionGroup>

/** Returns the options of a group. */
export const optionsOf = (group: OptionGroup): OptionName[] => keysOf(GROUP_OF).filter(name => GROUP_OF[name] === group)
