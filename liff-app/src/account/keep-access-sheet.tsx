import type { AccessList, KeptAccess } from '@shop/shared/account/access-endpoints.ts'
import { SIGN_IN_PROVIDER } from '@shop/shared/account/account.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** The secret that is changed, as its owner knows it. */
export interface Named {
  secret: 'password' | 'pin'
  name: string
}

interface Item {
  id: string
  name: string
  madeAt: string | null
  /** null while it never was; left out for what nobody can tell of. */
  usedAt?: string | null
  isDoubtful: boolean
}

interface Group {
  of: keyof KeptAccess
  title: string
  items: Item[]
}

const testOf = (isTest: boolean): string => (isTest ? ' · โหมดทดสอบ' : '')

const groupsOf = ({ keys, webhooks, links }: AccessList): Group[] =>
  [
    { of: 'keys', title: 'คีย์ API', items: keys.map(key => ({ ...key, name: key.name + testOf(key.isTest) })) },
    {
      of: 'webhooks',
      title: 'ปลายทางแจ้งเหตุการณ์',
      items: webhooks.map(webhook => ({ ...webhook, name: webhook.url + testOf(webhook.isTest) })),
    },
    {
      of: 'links',
      title: 'วิธีเข้าสู่ระบบอื่น',
      items: links.map(link => ({ ...link, name: SIGN_IN_PROVIDER[link.id].name })),
    },
  ].filter(({ items }) => items.length > 0) as Group[]

interface KeepAccessSheetProps {
  named: Named
  /** null while nothing is asked. */
  found: AccessList | null
  onKeep: (kept: KeptAccess) => void
  onBack: () => void
}

/** Asks what goes on after a secret is changed. What may be somebody else's is not chosen until its owner chooses it. */
export function KeepAccessSheet({ named, found, onKeep, onBack }: KeepAccessSheetProps) {
  const [shown, setShown] = useState(found)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  if (found && found !== shown) {
    setShown(found)
    const items = groupsOf(found).flatMap(group => group.items)
    setChosen(new Set(items.filter(({ isDoubtful }) => !isDoubtful).map(({ id }) => id)))
  }
  const groups = shown ? groupsOf(shown) : []
  const ending = groups.flatMap(({ items }) => items).filter(({ id }) => !chosen.has(id)).length
  const choose = (id: string, isKept: boolean) => {
    const next = new Set(chosen)
    if (isKept) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const keep = () => {
    const kept = (of: keyof KeptAccess) =>
      groups.flatMap(group => (group.of === of ? group.items : [])).flatMap(({ id }) => (chosen.has(id) ? [id] : []))
    onKeep({ keys: kept('keys'), webhooks: kept('webhooks'), links: kept('links') as KeptAccess['links'] })
  }
  return (
    <Sheet open={found !== null} onClose={onBack} title="เลือกสิ่งที่จะใช้ต่อ">
      <p className="text-ink-2">เลือกเฉพาะที่คุณรู้จักและยังใช้อยู่ ที่ไม่ได้เลือกจะใช้ไม่ได้ทันทีที่เปลี่ยน{named.name}</p>
      {groups.map(({ of, title, items }) => (
        <fieldset key={of} className="mt-4">
          <legend className="text-label">{title}</legend>
          {items.map(item => (
            <CheckboxRow
              key={item.id}
              checked={chosen.has(item.id)}
              onChange={event => choose(item.id, event.target.checked)}
            >
              <ItemText item={item} />
            </CheckboxRow>
          ))}
        </fieldset>
      ))}
      <Button block className="mt-5" onClick={keep}>
        {ending > 0 ? `เปลี่ยนและยกเลิก ${ending} รายการ` : 'เปลี่ยนและใช้ต่อทั้งหมด'}
      </Button>
      <Button kind="quiet" block className="mt-2" onClick={onBack}>
        กลับไปแก้ไข
      </Button>
    </Sheet>
  )
}

const usedText = (usedAt: string | null): string => (usedAt ? `ใช้ล่าสุด ${formatDateTime(usedAt)} น.` : 'ยังไม่เคยใช้')

const ItemText = ({ item: { name, madeAt, usedAt, isDoubtful } }: { item: Item }) => (
  <>
    <span className="wrap-anywhere block font-semibold">{name}</span>
    <span className="block text-ink-2 text-note">
      {madeAt ? `เพิ่มเมื่อ ${formatDateTime(madeAt)} น.` : 'เพิ่มก่อนที่ร้านจะเก็บวันที่'}
    </span>
    {usedAt !== undefined && <span className="block text-ink-2 text-note">{usedText(usedAt)}</span>}
    {isDoubtful && (
      <span className="block text-note text-warn">เพิ่มหลังร้านตั้งรหัสให้บัญชีนี้ หรือหลังมีวิธีเข้าสู่ระบบใหม่ ตรวจว่าเป็นของคุณ</span>
    )}
  </>
)
