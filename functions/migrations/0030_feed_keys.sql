ALTER TABLE "feed_key" ADD COLUMN "prefix" text;--> statement-breakpoint
ALTER TABLE "feed_key" ADD COLUMN "receiving_account_id" integer;--> statement-breakpoint
ALTER TABLE "feed_key" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "feed_key_id" uuid;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "confirmed_file_id" uuid;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "confirmed_key_id" uuid;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "chain" text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "disputed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "feed_key" ADD CONSTRAINT "feed_key_receiving_account_id_receiving_account_id_fk" FOREIGN KEY ("receiving_account_id") REFERENCES "public"."receiving_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_feed_key_id_feed_key_id_fk" FOREIGN KEY ("feed_key_id") REFERENCES "public"."feed_key"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_confirmed_file_id_statement_file_id_fk" FOREIGN KEY ("confirmed_file_id") REFERENCES "public"."statement_file"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_confirmed_key_id_feed_key_id_fk" FOREIGN KEY ("confirmed_key_id") REFERENCES "public"."feed_key"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statement_line_gap" ON "statement_line" USING btree ("receiving_account_id","day") WHERE "statement_line"."chain" = 'gap';--> statement-breakpoint
CREATE INDEX "statement_line_feed_key" ON "statement_line" USING btree ("feed_key_id","no") WHERE "statement_line"."feed_key_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "statement_line_disputed" ON "statement_line" USING btree ("disputed_at") WHERE "statement_line"."disputed_at" IS NOT NULL;--> statement-breakpoint
-- A key of before belongs to the shop's account where there is but one, and works a year from now; where there are several,
-- nobody can tell which one it is of: it ends, and the shop makes a key for each account.
UPDATE "feed_key" SET "receiving_account_id" = (SELECT min(id) FROM "receiving_account"), "expires_at" = now() + interval '1 year'
WHERE "revoked_at" IS NULL AND (SELECT count(*) FROM "receiving_account") = 1;--> statement-breakpoint
UPDATE "feed_key" SET "revoked_at" = now() WHERE "revoked_at" IS NULL AND "receiving_account_id" IS NULL;--> statement-breakpoint
ALTER TABLE "feed_key" ADD CONSTRAINT "feed_key_account" CHECK ("feed_key"."receiving_account_id" IS NOT NULL OR "feed_key"."revoked_at" IS NOT NULL);