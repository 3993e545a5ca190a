import { OWNER_NEWS, type ShopContact, wordsOfNews } from '@shop/shared/account/news.ts'
import { chatLinks } from '@shop/shared/chat/links.ts'
import { MESSAGE } from '@shop/shared/chat/message.ts'
import { type WrittenLetter, writeLetter } from '@shop/shared/letter.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { type FoundNews, findNews, isReached, isReachedByLine, isReachedByMail, type Reach } from '../access/news.ts'
import { putMail } from '../mail/store.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { tell } from '../outbox/outbox.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop/shop.ts'
import { findQuota, putMessage } from './store.ts'
import { linksOf } from './telling.ts'

async function findContact({ db }: Pick<Shop, 'db'>): Promise<ShopContact> {
  const { LINE_OA_ID: line, CONTACT_PHONE: phone, CONTACT_EMAIL: email } = await findOptions(db)
  return { line, phone, email }
}

/** Returns the page where the owner sees what the news are about; links in mail open the shop in a browser. */
function urlOf({ config }: Pick<Shop, 'config'>, { uid, role, kind }: FoundNews, isMail: boolean): string {
  const links = isMail
    ? chatLinks({ liffId: null, storefrontUrl: config.STOREFRONT_URL, adminUrl: config.ADMIN_URL })
    : linksOf(config)
  if (OWNER_NEWS[kind].page === 'wallet') return links.shop('/wallet')
  const panel = OWNER_NEWS[kind].page === 'credit' ? '?panel=credit' : ''
  const path = `/user/${encodeURIComponent(uid)}${panel}`
  return isAdminSide(role) ? links.admin(path) : links.shop(path)
}

function letterOf(shop: Shop, news: FoundNews, contact: ShopContact): WrittenLetter {
  const { title, happened, facts, advice } = wordsOfNews(news, contact)
  const label = OWNER_NEWS[news.kind].page === 'wallet' ? 'เปิดกระเป๋าเงิน' : 'เปิดบัญชีของฉัน'
  return writeLetter({ title, opening: happened, facts, advice, action: { label, url: urlOf(shop, news, true) } })
}

/** Returns the receivers of the news, each address and LINE identity once. */
function targetsOf(shop: Shop, news: FoundNews, isChatFull: boolean) {
  const isSure = (reach: Reach) => isReachedByLine(shop, reach) && reach.isFriend === true && !isChatFull
  const byMail = (reach: Reach) => OWNER_NEWS[news.kind].everywhere || !isSure(reach)
  const lineIds = news.reaches.flatMap(reach => (isReachedByLine(shop, reach) ? [reach.lineId!] : []))
  const addresses = news.reaches.flatMap(reach =>
    isReachedByMail(shop, reach) && byMail(reach) ? [reach.email!.toLowerCase()] : [],
  )
  return { lineIds: new Set(lineIds), addresses: new Set(addresses) }
}

/** Decides once where an account's news go and in which words; sending them is a separate job for each. */
export const ownerTellHandler: OutboxHandler<'owner.tell'> = {
  concurrency: 2,
  lockSeconds: 60,
  mostFaults: 20,
  async run(shop, { newsId }) {
    const news = await findNews(shop.db, newsId)
    if (!news) return async () => ({ to: 'done' })
    const [contact, quota] = [await findContact(shop), await findQuota(shop.db)]
    const { lineIds, addresses } = targetsOf(shop, news, quota.fullAt !== null)
    const messages = MESSAGE.ownerNews.build({ news, contact, url: urlOf(shop, news, false) }, linksOf(shop.config))
    const letter = letterOf(shop, news, contact)
    const about = news.facts.orderNo ?? null
    return async tx => {
      const now = shop.now()
      for (const recipient of lineIds) {
        const key = `ownerNews:${newsId}:${recipient}`
        await putMessage(tx, { key, kind: 'ownerNews', about, recipient, replyToken: null, messages, cost: 1 }, now)
      }
      for (const recipient of addresses)
        await putMail(tx, { key: `${newsId}:${recipient}`, kind: news.kind, uid: news.uid, recipient, ...letter }, now)
      const isUntold = !news.reaches.some(reach => isReached(shop, reach))
      if (isUntold && news.byShop) await tell(tx, { event: 'ownerUntold', id: newsId, now })
      return { to: 'done' }
    }
  },
}
