import { useShopOptions } from './shop-options.ts'

interface WayToShop {
  label: string
  url: string
}

/** The address at which LINE adds the shop's account or opens a chat with it. */
export const lineUrlOf = (account: string): string => `https://line.me/R/ti/p/${encodeURIComponent(account)}`

/** A message that names the order it is about, so that nobody has to ask for its number. */
const messageAbout = (orderNo: string): string => `สอบถามคำสั่งซื้อ ${orderNo}`

/** The address of a chat with the shop in which a message is already typed. */
const lineChatOf = (account: string, message: string): string =>
  `https://line.me/R/oaMessage/${encodeURIComponent(account)}/?${encodeURIComponent(message)}`

/** Who the shop is and how to reach it, as its managers have set it; empty where they have set nothing. */
export interface Contact {
  /** The likeliest first: LINE, phone, mail. */
  ways: WayToShop[]
  /** Whether the first of them is LINE. */
  isByLine: boolean
  /** "ทุกวัน 09:00–23:00 น." */
  hours: string
  companyName: string
  companyAddress: string
}

/** @param orderNo the order that the person wants to ask about, if it is about one */
export function useContact(orderNo?: string): Contact {
  const { options } = useShopOptions()
  const { OPENING_HOURS: hours } = options
  const { LINE_OA_ID: account = '', CONTACT_PHONE: phone = '', CONTACT_EMAIL: email = '' } = options
  const message = orderNo && messageAbout(orderNo)
  const ways = [
    account && { label: 'ทักร้านทาง LINE', url: message ? lineChatOf(account, message) : lineUrlOf(account) },
    phone && { label: phone, url: `tel:${phone.replaceAll(/[ -]/g, '')}` },
    email && { label: email, url: `mailto:${email}${message ? `?subject=${encodeURIComponent(message)}` : ''}` },
  ]
  return {
    ways: ways.filter(way => way !== ''),
    isByLine: account !== '',
    hours: hours ? `ทุกวัน ${hours.replace('-', '–')} น.` : 'ทุกวัน ตลอด 24 ชั่วโมง',
    companyName: options.COMPANY_NAME ?? '',
    companyAddress: options.COMPANY_ADDRESS ?? '',
  }
}
