// A migrator to be killed. Its arguments are the owner's address of the database, and migrations after those of the shop.
import { migrate } from '../database/migrate.ts'
import { type Migration, readMigrations } from '../database/migrations.ts'

const [databaseUrl = '', more = '[]'] = process.argv.slice(2)
await migrate(databaseUrl, { migrations: [...readMigrations(), ...(JSON.parse(more) as Migration[])] })
