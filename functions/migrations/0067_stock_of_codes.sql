CREATE TABLE "voucher_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" integer NOT NULL,
	"sealed" text NOT NULL,
	"made_by" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- safe: what takes its place allows all that it allowed.
ALTER TABLE "voucher" DROP CONSTRAINT "voucher_owned";--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "withdrawn_by" text;--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "withdrawn_reason" text;--> statement-breakpoint
ALTER TABLE "voucher_draft" ADD CONSTRAINT "voucher_draft_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- safe: the release that sells the first code brings it, so the table is empty.
CREATE INDEX "voucher_of_package" ON "voucher" USING btree ("package_id","id");--> statement-breakpoint
-- safe: the release that sells the first code brings it, so the table is empty.
CREATE INDEX "voucher_of_batch" ON "voucher" USING btree ("batch_id") WHERE "voucher"."batch_id" IS NOT NULL;--> statement-breakpoint
-- safe: the release that sells the first code brings it, so the table is empty.
CREATE INDEX "voucher_last_four" ON "voucher" USING btree ("last_four");--> statement-breakpoint
-- safe: it allows all that the one before it allowed, and the table is empty.
ALTER TABLE "voucher" ADD CONSTRAINT "voucher_owned" CHECK ("voucher"."state" = 'withdrawn' OR ("voucher"."state" = 'free') = ("voucher"."order_id" IS NULL));