import { useContact } from './contact.ts'

/** Makes words a link to the shop, which opens beside the page. They stay plain if the shop gives no contact. */
export function ContactLink({ orderNo, children }: { orderNo?: string; children: string }) {
  const [way] = useContact(orderNo).ways
  if (!way) return children
  return (
    <a href={way.url} target="_blank" rel="noreferrer" className="link py-3">
      {children}
    </a>
  )
}
