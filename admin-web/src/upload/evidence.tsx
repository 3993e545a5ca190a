import { Slip } from './slip.tsx'

/** What was shown for a move, or for a bad code; draws nothing where that is nothing. */
export function Evidence({ slipId, reference }: { slipId: string | null; reference: string | null }) {
  return (
    <>
      {reference && <div className="note breakable">เลขที่เรื่อง {reference}</div>}
      {slipId && (
        <div className="row-picture">
          <Slip slipId={slipId} noun="ภาพหลักฐาน" />
        </div>
      )}
    </>
  )
}
