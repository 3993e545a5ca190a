import { getFriendship, learnFriendship } from '@shop/shared/chat/friendship.ts'
import { useQuery } from '@tanstack/react-query'
import { Bell, UserPlus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { lineUrlOf, useContact } from '../settings/contact.ts'
import { useShopOptions } from '../settings/shop-options.ts'
import { inLiff } from '../shop.ts'
import { isFlag, read, write } from '../storage.ts'
import { ButtonAnchor } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Note } from '../ui/note.tsx'
import { drawQr } from '../ui/qr-picture.ts'

const TITLE = 'รับแจ้งเตือนเมื่อเติมเสร็จ'
const TITLE_NEXT = 'รับแจ้งเตือนของครั้งต่อไป'

/** Asks LINE itself where it can be asked: friends from before the shop's server heard of them are unknown to it. */
async function findFriendship() {
  const accessToken = inLiff ? await import('../liff.ts').then(({ getAccessToken }) => getAccessToken()) : null
  const learned = accessToken && (await api.call(learnFriendship, { body: { accessToken } }).catch(() => null))
  return learned || api.call(getFriendship, {})
}

/** Asks people to add the shop in LINE, where they get news of their order, unless they are known to have done so. */
export function AddFriend({ isDelivered }: { isDelivered: boolean }) {
  const { LINE_OA_ID: account } = useShopOptions().options
  const { me } = useSession()
  const friendship = useQuery({ ...api.query(getFriendship), queryFn: findFriendship, enabled: me !== null })
  const [isClosed, setClosed] = useState(() => read('noFriend', isFlag) ?? false)
  const isKnown = me === null || !friendship.isPending
  // Nothing is left to be told of this order.
  if (friendship.data?.isFriend && isDelivered) return null
  if (friendship.data?.isFriend)
    return (
      <Note className="mt-4" icon={Bell}>
        ร้านจะแจ้งใน LINE ของคุณเมื่อเติมเสร็จ
      </Note>
    )
  if (!account || isClosed || !isKnown) return null
  const close = () => {
    write('noFriend', true)
    setClosed(true)
  }
  return <FriendCard account={account} isDelivered={isDelivered} onClose={close} />
}

function FriendCard({ account, isDelivered, onClose }: { account: string; isDelivered: boolean; onClose: () => void }) {
  const { hours, companyName } = useContact()
  const title = isDelivered ? TITLE_NEXT : TITLE
  const url = lineUrlOf(account)
  const picture = useMemo(() => drawQr(url), [url])
  return (
    <section className="mt-4 rounded-card border border-line p-4">
      <div className="flex items-start justify-between gap-2">
        <h2 className="text-section">{title}</h2>
        <IconButton icon={X} label={`ปิด ${title}`} onClick={onClose} className="-mt-2.5 -mr-2.5" />
      </div>
      <p className="mt-0.5 mb-3.5 text-ink-2 text-small">
        {isDelivered ? 'เพิ่มเพื่อน LINE ของร้าน เพื่อรับแจ้งผลและถามร้านได้' : 'เพิ่มเพื่อน LINE ของร้าน ทีมงานจะติดต่อเมื่อเติมเงินเรียบร้อย'}
      </p>
      {!inLiff && (
        <div className="flex flex-wrap items-center gap-4">
          <img
            src={picture}
            alt={`QR เพิ่มเพื่อน ${account}`}
            width={120}
            height={120}
            className="[image-rendering:pixelated]"
          />
          <p className="min-w-0">
            <span className="block font-semibold">{account}</span>
            <span className="block text-ink-2 text-note">{companyName}</span>
            <span className="block text-ink-2 text-note">{hours}</span>
          </p>
        </div>
      )}
      <ButtonAnchor
        kind="secondary"
        block
        href={url}
        className="mt-3.5"
        icon={<UserPlus size={20} className="text-ok" />}
      >
        เพิ่มเพื่อนใน LINE
      </ButtonAnchor>
    </section>
  )
}
