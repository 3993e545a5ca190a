import { type Address, isUnproven } from '@shop/shared/account/account.ts'
import { Email } from '../ui/email.tsx'

/** Shows an address in a list, and whether its owner has still to prove that it is theirs. */
export function EmailCell({ address }: { address: Address }) {
  if (address.email === null) return '–'
  return (
    <>
      <Email>{address.email}</Email>
      {isUnproven(address) && <span className="note muted"> ยังไม่ยืนยัน</span>}
    </>
  )
}
