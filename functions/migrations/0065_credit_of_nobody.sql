-- safe: the previous server does not know the table
ALTER TABLE "credit" ALTER COLUMN "uid" DROP NOT NULL;
