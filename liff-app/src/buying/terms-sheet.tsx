import { termsSectionsOf } from '@shop/shared/settings/terms-sections.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useShopOptions } from '../settings/shop-options.ts'
import type { ShownTerms } from '../settings/terms.ts'
import { Sheet } from '../ui/sheet.tsx'

interface TermsSheetProps {
  terms: ShownTerms
  open: boolean
  onClose: () => void
}

/** The terms of service in full. */
export function TermsSheet({ terms, open, onClose }: TermsSheetProps) {
  const { COMPANY_NAME: companyName } = useShopOptions().options
  return (
    <Sheet open={open} onClose={onClose} title="เงื่อนไขการให้บริการ">
      {termsSectionsOf(terms.body).map(({ title, lines }) => (
        <section key={title + lines[0]} className="mb-4">
          {title && <h3 className="font-semibold">{title}</h3>}
          <ul className="mt-1 list-disc pl-5 text-small">
            {lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
      <p className="text-ink-2 text-note">
        {`ฉบับที่ ${terms.version} วันที่ ${formatDateTime(terms.publishedAt).slice(0, 10)}`}
        {companyName && <span className="block">{companyName}</span>}
      </p>
    </Sheet>
  )
}
