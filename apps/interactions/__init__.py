"""What is asked: contract, intake, answers, and the Interaction row."""
