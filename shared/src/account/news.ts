import { formatBaht, type Satang } from '../money.ts'
import { keysOf } from '../table.ts'
import { formatDateTime, formatDay } from '../time.ts'
import { SIGN_IN_PROVIDER, type SignInProvider } from './account.ts'

export interface NewsEntry {
  /** Its name for staff, and the heading of the owner's message. */
  title: string
  /** What happened, in a sentence to the owner. */
  happened: string
  /** Somebody else may have done it, so for a while afterwards each purchase is reported to the owner. */
  opensWatch: boolean
  /** Sent by LINE and mail; otherwise by mail only if LINE does not reach the owner. */
  everywhere: boolean
  /** Sent however often there were such news in a day: who makes much of it must not silence the rest. */
  isToldAlways?: boolean
  /** What the owner should do, if it differs from the usual advice. */
  advice?: string
  /** The page of the storefront that it is about. */
  page: 'account' | 'wallet' | 'credit'
}

const ofAccount = { opensWatch: false, everywhere: true, page: 'account' } as const
const ofTakeover = { ...ofAccount, opensWatch: true } as const
const ofWord = { ...ofAccount, everywhere: false } as const
/** Money of shop credit that goes to a bank account. The owner is told of each, however many there are. */
const ofWithdrawal = { opensWatch: false, everywhere: true, page: 'credit' } as const
const ofSpending = { opensWatch: false, everywhere: false, page: 'wallet' } as const

/** The table of all news that owners of accounts get. */
export const OWNER_NEWS = {
  passwordReset: {
    title: 'ร้านตั้งรหัสผ่านใหม่ให้บัญชีของคุณ',
    happened: 'ทีมงานร้านตั้งรหัสผ่านชั่วคราวให้ รหัสผ่านเดิมใช้ไม่ได้อีก',
    ...ofTakeover,
  },
  pinReset: {
    title: 'ร้านตั้ง PIN ใหม่ให้กระเป๋าเงินของคุณ',
    happened: 'ทีมงานร้านตั้ง PIN ชั่วคราวให้ PIN เดิมใช้ไม่ได้อีก',
    ...ofTakeover,
  },
  passwordChanged: { title: 'รหัสผ่านของคุณถูกเปลี่ยน', happened: 'รหัสผ่านเดิมใช้ไม่ได้อีก', ...ofAccount },
  pinChanged: { title: 'PIN กระเป๋าเงินของคุณถูกเปลี่ยน', happened: 'PIN เดิมใช้ไม่ได้อีก', ...ofAccount },
  signInLinked: { title: 'บัญชีของคุณมีวิธีเข้าสู่ระบบเพิ่ม', happened: 'เข้าสู่ระบบด้วยวิธีใหม่นี้ได้แล้ว', ...ofTakeover },
  signInUnlinked: { title: 'วิธีเข้าสู่ระบบของบัญชีคุณถูกนำออก', happened: 'เข้าสู่ระบบด้วยวิธีนี้ไม่ได้อีก', ...ofAccount },
  takenOver: {
    title: 'บัญชีนี้เป็นของเจ้าของอีเมลแล้ว',
    happened: 'มีผู้ยืนยันว่าเป็นเจ้าของอีเมลของบัญชี ข้อมูลและวิธีเข้าสู่ระบบเดิมถูกนำออก',
    ...ofTakeover,
  },
  emailChanged: { title: 'อีเมลของบัญชีคุณถูกเปลี่ยน', happened: 'บัญชีใช้อีเมลอื่นแทนอีเมลนี้แล้ว', ...ofTakeover },
  newAuthenticatorApp: { title: 'บัญชีของคุณใช้แอปยืนยันตัวตนเครื่องใหม่', happened: 'รหัสจากแอปเดิมใช้ไม่ได้อีก', ...ofAccount },
  erasureAsked: {
    title: 'คุณขอให้ร้านลบข้อมูลของคุณ',
    happened: 'ร้านได้รับคำขอแล้ว ยกเลิกได้ในหน้าบัญชีของคุณ จนกว่าร้านจะอนุมัติ',
    ...ofAccount,
  },
  erasureApproved: {
    title: 'ร้านลบบัญชีและข้อมูลของคุณแล้ว',
    happened:
      'เข้าสู่ระบบด้วยบัญชีนี้ไม่ได้อีก ข้อมูลที่เหลือจะหายไปภายในหนึ่งวัน นี่เป็นข้อความสุดท้ายจากร้านถึงบัญชีนี้ ถ้าเข้าสู่ระบบอีกหลังจากนั้น จะเป็นบัญชีใหม่',
    advice: 'ถ้าคุณไม่ได้ขอ กรุณาติดต่อร้านทันที',
    ...ofAccount,
  },
  codeGuessed: {
    title: 'มีการกรอกรหัสยืนยันของบัญชีคุณผิดหลายครั้ง',
    happened: 'จากเครื่องที่ยังไม่เคยยืนยัน ผู้กรอกเข้าสู่ระบบด้วยรหัสผ่านของบัญชีนี้ได้แล้ว แต่ยังไม่ผ่านรหัสยืนยัน',
    ...ofAccount,
  },
  appReset: { title: 'แอปยืนยันตัวตนของคุณถูกล้าง', happened: 'รหัสจากแอปเดิมใช้ไม่ได้อีก ต้องตั้งแอปใหม่', ...ofAccount },
  firstApp: {
    title: 'ทีมงานตั้งแอปยืนยันตัวตนเป็นครั้งแรก',
    happened: 'ก่อนหน้านี้บัญชีนี้มีเพียงรหัสผ่าน แจ้งผู้ดูแลระบบทุกคน',
    advice: 'ถามเจ้าของบัญชีว่าตั้งเองหรือไม่ ถ้าไม่ใช่ ให้ระงับบัญชีนั้นและล้างแอปทันที',
    ...ofAccount,
  },
  wordGiven: {
    title: 'รายการที่คุณขอได้รับการยืนยันแล้ว',
    happened: 'คนที่สองยืนยันรายการที่คุณขอไว้',
    advice: 'ถ้าคุณไม่ได้ขอรายการนี้ กรุณาเปลี่ยนรหัสผ่านและแจ้งผู้ดูแลระบบทันที',
    ...ofWord,
  },
  wordRefused: {
    title: 'รายการที่คุณขอไม่ได้รับการยืนยัน',
    happened: 'รายการที่รอคนที่สองไม่ได้ทำ ยังไม่มีอะไรเปลี่ยนแปลง',
    advice: 'แก้ตามเหตุผลแล้วขอใหม่ได้ ถ้าคุณไม่ได้ขอรายการนี้ กรุณาเปลี่ยนรหัสผ่านและแจ้งผู้ดูแลระบบทันที',
    ...ofWord,
  },
  managersRoom: {
    title: 'กลุ่ม LINE ของผู้จัดการถูกเปลี่ยน',
    happened: 'เรื่องที่ต้องให้ผู้จัดการดูจะไม่แจ้งในกลุ่มเดิม แจ้งผู้ดูแลระบบทุกคน',
    advice: 'ถ้าไม่ได้ตกลงกันไว้ ให้ดูผู้ทำในประวัติการแก้ไข แล้วผูกกลุ่มใหม่ในหน้าการแจ้งเตือน LINE',
    ...ofAccount,
  },
  rankChanged: {
    title: 'บทบาทหรือทางเข้าของทีมงานเปลี่ยน',
    happened: 'แจ้งผู้ดูแลระบบทุกคน และคนที่ถูกเปลี่ยน',
    advice: 'ถ้าไม่ได้ตกลงกันไว้ ให้ถามผู้ทำ และแจ้งผู้ดูแลระบบคนอื่นหรือผู้ดูแลเซิร์ฟเวอร์ทันที',
    isToldAlways: true,
    ...ofAccount,
  },
  apiKeyMade: {
    title: 'มีการสร้างคีย์ API ของบัญชีคุณ',
    happened: 'ใครมีคีย์นี้สั่งซื้อด้วยเงินในกระเป๋าของคุณได้ โดยไม่ต้องใช้ PIN',
    ...ofTakeover,
  },
  apiKeyEnded: { title: 'คีย์ API ของคุณถูกยกเลิก', happened: 'คีย์นี้ใช้ไม่ได้อีก', ...ofAccount },
  apiKeyRefused: {
    title: 'คีย์ API ของคุณถูกปฏิเสธ',
    happened: 'มีการใช้คีย์ในแบบที่คุณไม่ได้อนุญาต ยังไม่มีการสั่งซื้อ เราแจ้งเรื่องเดียวกันวันละครั้ง',
    advice: 'ถ้าไม่ใช่เครื่องของคุณ คีย์อาจรั่ว กรุณายกเลิกคีย์นี้แล้วสร้างใหม่',
    ...ofAccount,
  },
  webhookMade: {
    title: 'มีการเพิ่มปลายทางแจ้งเหตุการณ์ของบัญชีคุณ',
    happened: 'ปลายทางนี้จะรู้ทุกคำสั่งซื้อจาก API และทุกรายการเงินเข้าออกกระเป๋าของคุณ',
    ...ofAccount,
  },
  webhookSecretMade: {
    title: 'มีการเปลี่ยนรหัสลับของปลายทางแจ้งเหตุการณ์',
    happened: 'ใครมีรหัสลับนี้ส่งเหตุการณ์ปลอมให้เครื่องของคุณได้ รหัสเดิมใช้ได้อีกหนึ่งวัน',
    ...ofAccount,
  },
  webhookEnded: {
    title: 'ปลายทางแจ้งเหตุการณ์ของคุณถูกนำออก',
    happened: 'เราไม่ส่งเหตุการณ์ไปที่นี่อีก และลบเหตุการณ์ที่รอส่งแล้ว',
    ...ofAccount,
  },
  webhookOff: {
    title: 'หยุดส่งเหตุการณ์ไปยังเครื่องของคุณ',
    happened: 'ปลายทางไม่รับติดต่อกันนานเกินไปหรือตอบว่าเลิกรับ เราปิดปลายทางนี้แล้ว สถานะคำสั่งซื้อยังอ่านจาก API ได้',
    advice: 'แก้ปลายทาง แล้วเปิดอีกครั้งในหน้า API สำหรับตัวแทน',
    ...ofAccount,
  },
  withdrawalAsked: {
    title: 'มีการขอรับเครดิตร้านเป็นเงินโอน',
    happened: 'ร้านจะโอนเครดิตร้านของคุณไปยังบัญชีที่แจ้งไว้นี้',
    ...ofWithdrawal,
  },
  withdrawalPayee: {
    title: 'บัญชีรับเงินโอนจากเครดิตร้านถูกเปลี่ยน',
    happened: 'เงินที่คุณขอรับจากเครดิตร้านจะโอนไปยังบัญชีใหม่นี้',
    ...ofWithdrawal,
  },
  withdrawalSent: {
    title: 'ร้านโอนเงินจากเครดิตร้านของคุณแล้ว',
    happened: 'เงินที่ขอรับจากเครดิตร้านโอนไปยังบัญชีนี้แล้ว',
    ...ofWithdrawal,
  },
  spentAfterChange: {
    title: 'มีการซื้อจากกระเป๋าเงินของคุณ',
    happened: 'เราแจ้งทุกรายการ เพราะบัญชีของคุณเพิ่งมีการเปลี่ยนแปลงภายใน 3 วัน',
    ...ofSpending,
  },
  dailySpending: { title: 'สรุปการซื้อจากกระเป๋าเงินของคุณ', happened: 'ยอดรวมของเมื่อวานทั้งวัน', ...ofSpending },
} as const satisfies Record<string, NewsEntry>
export type OwnerNewsKind = keyof typeof OWNER_NEWS
export const OWNER_NEWS_KINDS = keysOf(OWNER_NEWS)

/** News after which purchases are reported one by one. */
export const WATCH_OPENERS = OWNER_NEWS_KINDS.filter(kind => OWNER_NEWS[kind].opensWatch)

/**
 * How long after such a change each purchase is reported, and earlier holders of the account's address or LINE identity
 * are told, too.
 */
export const WATCH_HOURS = 72

/** At most this many purchases of a Bangkok day are reported one by one; the day's sum covers the others. */
export const MOST_SPENDS_TOLD = 20

/**
 * At most this many news of one kind are sent for an account in a day; afterwards its owner knows. Purchases have their
 * own rule.
 */
export const MOST_OF_KIND_TOLD = 10

/** Facts that some news contain beside the moment and the person. */
export interface NewsFacts {
  /** The way to sign in that was added or removed. */
  way?: SignInProvider
  /**
   * The way to sign in that the person used; `outside`: the change was made at the identity provider and not in the
   * shop.
   */
  via?: SignInProvider | 'outside'
  orderNo?: string
  bought?: string
  /** The account that money goes to: "กสิกรไทย x4521". */
  payee?: string
  amountSatang?: Satang
  /** Whether it is the last of its day that is reported alone. */
  isLast?: boolean
  /** The managers' new group and who bound it; null when there is no group any more, or LINE removed it. */
  groupName?: string | null
  byName?: string | null
  /** Whose rank or way in changed, from what to what, and who agreed to it. */
  whose?: string
  change?: string
  secondName?: string
  /** What somebody asked a second person for, and why it was not carried out. */
  asked?: string
  reason?: string
  /** The name of an API key, why it was refused or ended, and from where it was used. */
  keyName?: string
  why?: string
  address?: string
  /** An address that was told about events. */
  url?: string
  /** "YYYY-MM-DD" */
  day?: string
  count?: number
}

export interface OwnerNews {
  kind: OwnerNewsKind
  at: Date
  byShop: boolean
  facts: NewsFacts
}

/** How customers reach the shop; '' when there is no such way. */
export interface ShopContact {
  line: string
  phone: string
  email: string
}

/** The texts of a news item, for a card and for a mail. */
export interface NewsWords {
  title: string
  happened: string
  facts: { label: string; value: string }[]
  /** What to do if it was not the owner who did it. */
  advice: string
}

const nameOfWay = (way: SignInProvider | 'outside'): string =>
  way === 'outside' ? 'ลิงก์ตั้งรหัสผ่านในอีเมล หรือผู้ให้บริการเข้าสู่ระบบ' : SIGN_IN_PROVIDER[way].name

const baht = (satang: Satang): string => `${formatBaht(satang)} บาท`

function adviceOf({ kind, byShop }: OwnerNews): string {
  const { advice }: NewsEntry = OWNER_NEWS[kind]
  if (advice) return advice
  if (OWNER_NEWS[kind].page === 'wallet')
    return 'ถ้าคุณไม่ได้ซื้อ แปลว่ามีคนอื่นใช้กระเป๋าเงินของคุณ กรุณาเปลี่ยนรหัสผ่านและ PIN แล้วติดต่อร้านทันที'
  if (OWNER_NEWS[kind].page === 'credit')
    return 'ถ้าคุณไม่ได้ขอ แปลว่ามีคนอื่นเข้าบัญชีของคุณอยู่ กรุณาติดต่อร้านทันที แล้วเปลี่ยนรหัสผ่านและ PIN'
  if (byShop) return 'ถ้าคุณไม่ได้ขอให้ร้านทำรายการนี้ กรุณาติดต่อร้านทันที'
  return 'ถ้าคุณไม่ได้ทำเอง แปลว่ามีคนอื่นเข้าบัญชีของคุณอยู่ กรุณาเปลี่ยนรหัสผ่าน แล้วติดต่อร้านทันที'
}

/** Returns who did it and by which sign-in. A purchase names neither, and some news name the person. */
function doerFacts({ kind, byShop, facts: { via, byName } }: OwnerNews): NewsWords['facts'] {
  if (OWNER_NEWS[kind].page === 'wallet' || byName !== undefined) return []
  const by = { label: 'โดย', value: byShop ? 'ทีมงานร้าน' : 'จากบัญชีของคุณ' }
  return via ? [by, { label: 'เข้าสู่ระบบด้วย', value: nameOfWay(via) }] : [by]
}

/** Returns the lines that have a value. */
const filled = (lines: [label: string, value: string | undefined][]): NewsWords['facts'] =>
  lines.flatMap(([label, value]) => (value ? [{ label, value }] : []))

/** Returns the texts that the owner of an account gets. */
export function wordsOfNews(news: OwnerNews, contact: ShopContact): NewsWords {
  const { kind, at, facts } = news
  const {
    way,
    orderNo,
    bought,
    payee,
    amountSatang,
    isLast,
    groupName,
    byName,
    whose,
    change,
    secondName,
    asked,
    reason,
    keyName,
    why,
    address,
    url,
    day,
    count,
  } = facts
  const { title, happened } = OWNER_NEWS[kind]
  const about = filled([
    ['วิธี', way && nameOfWay(way)],
    ['ของ', whose],
    ['เปลี่ยน', change],
    ['กลุ่มใหม่', groupName === null ? 'ไม่มี' : groupName],
    ['ขอไว้', asked],
    ['คีย์', keyName],
    ['ปลายทาง', url],
    ['เหตุผล', reason ?? why],
    ['ใช้จาก', address],
    ['ผู้ทำ', byName === null ? 'LINE แจ้งว่าร้านออกจากกลุ่ม' : byName],
    ['คนที่สอง', secondName],
    ['รายการ', bought],
    ['โอนไปที่', payee],
    ['ยอดเงิน', amountSatang === undefined ? undefined : baht(amountSatang)],
    ['จำนวน', count === undefined ? undefined : `${count.toLocaleString('en-US')} คำสั่งซื้อ`],
    ['เลขที่คำสั่งซื้อ', orderNo],
  ])
  const { line, phone, email } = contact
  return {
    title,
    happened: isLast ? `${happened} รายการต่อไปของวันนี้จะแจ้งเป็นยอดรวมในวันถัดไป` : happened,
    facts: [
      ...about,
      { label: 'เมื่อ', value: day ? formatDay(day) : `${formatDateTime(at)} น.` },
      ...doerFacts(news),
      ...filled([
        ['LINE ของร้าน', line],
        ['โทรหาร้าน', phone],
        ['อีเมลของร้าน', email],
      ]),
    ],
    advice: adviceOf(news),
  }
}
