ALTER TABLE "charge" ADD COLUMN "silent_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charge" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "faults" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "charge_silent" ON "charge" USING btree ("silent_since") WHERE "charge"."silent_since" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "charge_open" ON "charge" USING btree ("expires_at") WHERE state IN ('asking', 'waiting');