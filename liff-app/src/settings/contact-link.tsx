import { useContact } from './contact.ts'

/** The words as a way to the shop, beside the page they stand on; only words where the shop tells no way. */
export function ContactLink({ orderNo, children }: { orderNo?: string; children: string }) {
  const [way] = useContact(orderNo).ways
  if (!way) return children
  return (
    <a href={way.url} target="_blank" rel="noreferrer" className="link py-3">
      {children}
    </a>
  )
}
