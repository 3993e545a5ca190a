import { formatMoney } from '@shop/shared/money.ts'
import { useRecord } from '../account/access-panel.tsx'
import type { PanelProps } from '../account/panel.ts'
import { placeOfAgent, StaffLink } from '../account/staff-link.tsx'
import { UserScreen } from '../account/user-screen.tsx'
import { OrdersOfPerson } from '../order/orders-of-person.tsx'
import { RefundsOfPerson } from '../statement/refunds-of-person.tsx'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'

/** The page of a person, with what other rooms know of them. */
export const PersonScreen = () => <UserScreen orders={OrdersPanel} money={MoneyPanel} />

const OrdersPanel = ({ user }: PanelProps) => <OrdersOfPerson uid={user.uid} />

/** What of somebody's money the shop holds, and what it owes or has sent back to them. */
function MoneyPanel({ user }: PanelProps) {
  const record = useRecord(user.uid)
  return (
    <>
      <div className="card card-part">
        <Loaded query={record} rows={1}>
          {({ walletSatang, creditSatang }) => (
            <Facts
              facts={[
                [
                  'กระเป๋าเงิน',
                  walletSatang !== null && (
                    <StaffLink page="agentDetails" className="number" to={placeOfAgent(user.uid)}>
                      {formatMoney(walletSatang)}
                    </StaffLink>
                  ),
                ],
                ['เครดิตร้าน', creditSatang !== null && <span className="number">{formatMoney(creditSatang)}</span>],
              ]}
            />
          )}
        </Loaded>
      </div>
      <RefundsOfPerson uid={user.uid} />
    </>
  )
}
