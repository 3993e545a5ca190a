/** Says for accounts of which regions a game's packages are. */
export const Regions = ({ names }: { names: { name: string }[] }) =>
  names.length > 0 && (
    <p className="mb-2.5 text-ink-2 text-note">{`สำหรับบัญชีภูมิภาค ${names.map(({ name }) => name).join(', ')}`}</p>
  )
