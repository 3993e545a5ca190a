import type { getCosts } from '@shop/shared/cost/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { StaffLink } from '../account/staff-link.tsx'
import { placeOfPrices } from '../catalogue/place-of-prices.ts'

type Costs = Reply<typeof getCosts>
type Named = Costs['stopped'][number]

/** A package by its game and name, which leads to its prices. */
export const PackageLink = ({ sold }: { sold: Named }) => (
  <StaffLink
    page="package"
    className="breakable"
    to={placeOfPrices({ gameId: sold.gameId, packageId: sold.id, packageName: sold.name })}
  >
    {sold.gameName} {sold.name}
  </StaffLink>
)

const MOST_SHOWN = 20

function Packages<P extends Named>({ packages, noteOf }: { packages: readonly P[]; noteOf?: (sold: P) => ReactNode }) {
  const more = packages.length - MOST_SHOWN
  return (
    <ul className="cost-packages">
      {packages.slice(0, MOST_SHOWN).map(sold => (
        <li key={sold.id}>
          <PackageLink sold={sold} /> {noteOf?.(sold)}
        </li>
      ))}
      {more > 0 && <li className="muted">และอีก {more.toLocaleString('en-US')} แพ็กเกจ</li>}
    </ul>
  )
}

const whatIsTold = ({ costSatang, toldSatang }: Costs['doubted'][number]) => (
  <span className="number">
    ต้นทุน {formatBahtShort(costSatang)} บาท ผู้จำหน่ายแจ้ง {formatBahtShort(toldSatang)} บาท
  </span>
)

/**
 * What a person must decide: packages that stopped for their cost or for what their supplier asks, and costs that are too
 * low to be believed.
 */
export function CostTroubles({ stopped, tooDear, doubted }: Pick<Costs, 'stopped' | 'tooDear' | 'doubted'>) {
  return (
    <>
      {stopped.length > 0 && (
        <Alert
          type="error"
          showIcon
          className="form-alert"
          title={`หยุดขาย ${stopped.length.toLocaleString('en-US')} แพ็กเกจ เพราะต้นทุนเกินราคา กลับมาขายเองเมื่อขึ้นราคาหรือต้นทุนลดลง`}
          description={<Packages packages={stopped} />}
        />
      )}
      {tooDear.length > 0 && (
        <Alert
          type="error"
          showIcon
          className="form-alert"
          title={`หยุดขาย ${tooDear.length.toLocaleString('en-US')} แพ็กเกจ เพราะผู้จำหน่ายคิดแพงกว่าต้นทุนที่ตั้งไว้ จึงซื้ออัตโนมัติไม่ได้ กลับมาขายเองเมื่อแก้ต้นทุน ให้ต้นทุนตามผู้จำหน่าย หรือให้ทีมงานเติมเอง`}
          description={<Packages packages={tooDear} noteOf={whatIsTold} />}
        />
      )}
      {doubted.length > 0 && (
        <Alert
          type="warning"
          showIcon
          className="form-alert"
          title="ผู้จำหน่ายแจ้งราคาต่ำผิดปกติ ร้านยังใช้ต้นทุนเดิม หากราคาถูกต้องให้แก้ต้นทุนของแพ็กเกจเอง"
          description={<Packages packages={doubted} noteOf={whatIsTold} />}
        />
      )}
    </>
  )
}
