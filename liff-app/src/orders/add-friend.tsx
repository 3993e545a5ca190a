import { UserPlus } from 'lucide-react'
import { useMemo } from 'react'
import { lineUrlOf, useContact } from '../settings/contact.ts'
import { useShopOptions } from '../settings/shop-options.ts'
import { inLiff } from '../shop.ts'
import { ButtonAnchor } from '../ui/button.tsx'
import { drawQr } from '../ui/qr-picture.ts'

/** Asks to add the shop in LINE: that is how people hear that the game was topped up. */
export function AddFriend() {
  const { LINE_OA_ID: account } = useShopOptions().options
  return account ? <FriendCard account={account} /> : null
}

function FriendCard({ account }: { account: string }) {
  const { hours, companyName } = useContact()
  const url = lineUrlOf(account)
  const picture = useMemo(() => drawQr(url), [url])
  return (
    <section className="mt-4 rounded-card border border-line p-4">
      <h2 className="text-section">รับแจ้งเตือนเมื่อเติมเสร็จ</h2>
      <p className="mt-0.5 mb-3.5 text-ink-2 text-small">เพิ่มเพื่อน LINE ของร้าน ทีมงานจะติดต่อเมื่อเติมเงินเรียบร้อย</p>
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
        icon={<UserPlus size={20} strokeWidth={1.75} className="text-ok" aria-hidden />}
      >
        เพิ่มเพื่อนใน LINE
      </ButtonAnchor>
    </section>
  )
}
