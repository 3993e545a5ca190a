import { errorMessage } from '@shop/shared/errors.ts'
import { type Action, can } from '@shop/shared/permissions.ts'
import {
  FileText,
  Image,
  KeyRound,
  type LucideIcon,
  ShieldX,
  SlidersHorizontal,
  Tags,
  Truck,
  WalletCards,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from '../account/session.tsx'
import { MessagePage } from '../ui/message-page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlChoice } from '../ui/url-filters.ts'
import { BannerSection } from './banner-section.tsx'
import { FeedSection } from './feed-section.tsx'
import { OptionSection } from './option-section.tsx'
import { PaymentSection } from './payment-section.tsx'
import { SupplierSection } from './supplier-section.tsx'
import { TagSection } from './tag-section.tsx'
import { TermsSection } from './terms-section.tsx'
import './settings.css'

interface Section {
  label: string
  icon: LucideIcon
  allow: Action
  screen: ComponentType
}

/** The sections by their name in the address, in the order of the menu. */
const SECTION: Record<string, Section> = {
  system: { label: 'ตั้งค่าร้าน', icon: SlidersHorizontal, allow: 'settings.manage', screen: OptionSection },
  payment: { label: 'ช่องทางชำระเงิน', icon: WalletCards, allow: 'settings.pay', screen: PaymentSection },
  feed: { label: 'คีย์รายการธนาคาร', icon: KeyRound, allow: 'settings.pay', screen: FeedSection },
  supplier: { label: 'ผู้จำหน่าย', icon: Truck, allow: 'supplier.manage', screen: SupplierSection },
  banner: { label: 'จัดการ Banner', icon: Image, allow: 'settings.pay', screen: BannerSection },
  terms: { label: 'ข้อกำหนดการใช้บริการ', icon: FileText, allow: 'settings.manage', screen: TermsSection },
  tags: { label: 'ภูมิภาค ภาษา แพลตฟอร์ม', icon: Tags, allow: 'catalogue.manage', screen: TagSection },
}
const FIRST = 'system'

/** The shop's settings; people see the sections that they may change. */
export function SettingsScreen() {
  const { role } = useMe()
  const [asked] = useUrlChoice('section')
  const key = asked !== null && Object.hasOwn(SECTION, asked) ? asked : FIRST
  const { label, allow, screen: Screen } = SECTION[key]!
  if (!can(role, allow)) {
    return (
      <MessagePage icon={ShieldX} text={errorMessage('FORBIDDEN')}>
        <Link to={`?section=${FIRST}`}>กลับไป {SECTION[FIRST]!.label}</Link>
      </MessagePage>
    )
  }
  return (
    <>
      <PageHead title="ตั้งค่าระบบ" />
      <div className="settings">
        <nav className="card card-part" aria-label="หัวข้อการตั้งค่า">
          {Object.entries(SECTION)
            .filter(([, section]) => can(role, section.allow))
            .map(([name, { label, icon: Icon }]) => (
              <Link
                key={name}
                className="menu-link"
                to={`?section=${name}`}
                aria-current={name === key ? 'page' : undefined}
              >
                <Icon size={18} aria-hidden />
                {label}
              </Link>
            ))}
        </nav>
        <section aria-label={label}>
          <Screen key={key} />
        </section>
      </div>
    </>
  )
}
